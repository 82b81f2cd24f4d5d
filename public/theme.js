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

// Before the first paint: the theme that the visitor chose, so that the page does not flash in the other one.
try {
  var theme = localStorage.getItem("theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  // The server draws each page for a stranger: until the script runs, the style keeps the room of who is signed in.
  if (localStorage.getItem("authToken")) document.documentElement.dataset.known = "";
} catch (blocked) {
  // Storage is switched off: the system's theme it is.
}
