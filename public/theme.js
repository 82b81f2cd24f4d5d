// A press on a page that the server has drawn waits until the page has its script, which calls `replayPress`.
var pressed;
function keepPress(event) {
  if (event.isTrusted) pressed = event.target.closest("#root button") || pressed;
}
addEventListener("click", keepPress, true);
window.replayPress = function () {
  removeEventListener("click", keepPress, true);
  if (pressed && pressed.isConnected) pressed.click();
};

// A page has dozens of files, and where the network drops some, it is white or bare. They are fetched once more, and then the page: a
// browser remembers a module that did not come. Three times in ten minutes at most, and not while they still do not come.
var lost = [];
var reloading;
function fetchAgain(address, tries) {
  return fetch(address).then(
    function (answer) {
      if (!answer.ok) throw new Error(address + " was answered with " + answer.status);
      return answer.arrayBuffer();
    },
    function (fault) {
      if (tries > 1) return fetchAgain(address, tries - 1);
      throw fault;
    },
  );
}
function mayReload() {
  try {
    var before = JSON.parse(sessionStorage.getItem("reloads") || "[]").filter(function (at) {
      return at > Date.now() - 600000;
    });
    sessionStorage.setItem("reloads", JSON.stringify(before.concat(Date.now())));
    return before.length < 3;
  } catch (blocked) {
    return false; // Nothing would end it.
  }
}
function loadAgain() {
  var again = lost.splice(0).map(function (address) {
    return fetchAgain(address, 5);
  });
  Promise.all(again).then(
    function () {
      if (mayReload()) location.reload();
    },
    function () {},
  );
}
// For a part that did not come though its files did; later somebody may be typing.
window.reloadPage = function () {
  if (performance.now() < 10000 && mayReload()) location.reload();
};
addEventListener(
  "error",
  function (event) {
    var file = event.target;
    // Styles that come later are of a part that somebody asked for, which says so itself.
    var isOfPage = file.rel === "modulepreload" || document.readyState !== "complete";
    if ((file.tagName !== "LINK" && file.tagName !== "SCRIPT") || !isOfPage) return;
    var address = file.src || file.href;
    if (address.indexOf(location.origin + "/assets/") !== 0) return;
    lost.push(address);
    clearTimeout(reloading);
    reloading = setTimeout(loadAgain, 300);
  },
  true,
);

// Before the first paint: the theme that the visitor chose, so that the page does not flash in the other one.
try {
  var theme = localStorage.getItem("theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  // The server draws each page for a stranger: until the script runs, the style keeps the room of who is signed in.
  if (localStorage.getItem("authToken")) document.documentElement.dataset.known = "";
} catch (blocked) {
  // Storage is switched off: the system's theme it is.
}
