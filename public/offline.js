// The offline page comes back by itself: at once when the browser has a connection again, and every now and then it asks.
(function () {
  var wait = 2000;
  var here = location.pathname.match(/^(\/\w+)\/offline$/);
  function back() {
    // Somebody who opens the page's own address, and can, was looking for the shop.
    if (here) location.replace(here[1]);
    else location.reload();
  }
  function later() {
    wait = Math.min(wait * 1.5, 30000);
    setTimeout(ask, wait);
  }
  function ask() {
    // Asks for the very page: the server may be there while what the page needs, or what stands before it, is not.
    fetch(location.href, { cache: "no-store" }).then(function (answer) {
      if (answer.status < 500) back();
      else later();
    }, later);
  }
  addEventListener("online", ask);
  setTimeout(ask, wait);
})();
