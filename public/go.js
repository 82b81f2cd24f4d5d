// An address without a language, and no cookie that names one: local storage may (spec B §2).
(function () {
  var script = document.currentScript;
  var known = script.dataset.languages.split(" ");
  var language = known[0];
  try {
    var saved = localStorage.getItem("language");
    if (known.indexOf(saved) >= 0) language = saved;
  } catch (blocked) {
    // Storage is switched off: the default language it is.
  }
  document.cookie = "language=" + language + "; path=/; max-age=31536000; SameSite=Lax";
  location.replace("/" + language + script.dataset.tail);
})();
