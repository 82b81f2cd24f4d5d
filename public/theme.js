// Before the first paint: the theme that the visitor chose, so that the page does not flash in the other one.
try {
  var theme = localStorage.getItem("theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch (blocked) {
  // Storage is switched off: the system's theme it is.
}
