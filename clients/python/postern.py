"""Client of a Postern shop in one file, for Python 3.9 or newer, without other packages.

    from postern import Postern

    shop = Postern(token="…", url="https://shop.example")
    order = shop.order("instagram.com", "letters.test")
    letter = order.wait_for_letter(timeout=120)
    print(order.email, letter.code, letter.link)

Every refusal of the shop is a PosternError; its `value` is one of the short strings of the documentation.
"""

from __future__ import annotations

import json
import os
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from dataclasses import dataclass, field
from typing import Any, Dict, List, Mapping, Optional, Tuple, Union

__all__ = ["Letter", "Offer", "Order", "Postern", "PosternError"]

# The shop holds a call that waits for a letter at most so long, in seconds.
_WAIT_MAX = 60
_PAUSE_MAX = 30.0


class PosternError(Exception):
    """The shop refused, or did not answer (`connection`)."""

    def __init__(self, value: str, more: Mapping[str, Any]) -> None:
        hint = more.get("hint")
        super().__init__(f"{value}: {hint}" if hint else value)
        #: One of the documentation's values, such as "no balance".
        self.value = value
        #: What the shop says beside it: parameter, missing, alternatives, did_you_mean, reason.
        self.more: Dict[str, Any] = dict(more)
        #: Seconds after which the call may be repeated, where the shop names them.
        self.retry_after: Optional[float] = more.get("retry_after")


@dataclass(frozen=True)
class Offer:
    """Addresses of one mail domain."""

    domain: str
    count: int
    #: In dollars.
    price: float


@dataclass(frozen=True)
class Letter:
    """The newest letter of an order."""

    #: The letter as HTML that can do no harm.
    message: str
    #: The code, when one was found.
    code: Optional[str]
    #: The link that confirms, when one was found.
    link: Optional[str]
    #: What the `regex` of the order has found.
    value: Optional[str]
    #: The whole answer of the shop.
    raw: Mapping[str, Any] = field(repr=False)
    #: "sure", "likely" or "unsure"; "chosen" after `choose_code`.
    code_confidence: Optional[str] = None
    #: What else may be the code, the likeliest first.
    code_candidates: Tuple[str, ...] = ()


class Order:
    """An address that was ordered for a site."""

    def __init__(self, shop: "Postern", answer: Mapping[str, Any]) -> None:
        self._shop = shop
        self.id: str = answer["id"]
        self.email: str = answer["email"]
        self.site: str = answer["site"]
        self.domain: str = answer["domain"]
        #: In dollars.
        self.price: float = answer["price"]
        #: Unix seconds.
        self.expires_at: int = answer["expires_at"]

    def __repr__(self) -> str:
        return f"Order(id={self.id!r}, email={self.email!r}, site={self.site!r})"

    def letter(self) -> Optional[Letter]:
        """The newest letter; None while none has come."""
        return self._shop.letter(self.id)

    def wait_for_letter(self, timeout: Optional[float] = None) -> Letter:
        """Waits for a letter, at most `timeout` seconds (None: until the order ends).

        Raises PosternError "wait message" when the time is over, and "activation canceled" when the order has ended.
        """
        until = None if timeout is None else time.monotonic() + timeout
        while True:
            left = _WAIT_MAX if until is None else until - time.monotonic()
            wait = max(0, min(_WAIT_MAX, int(left)))
            try:
                return self._shop._letter(self.id, wait)
            except PosternError as error:
                if error.value != "wait message" or (until is not None and time.monotonic() + 1 > until):
                    raise

    def choose_code(self, code: str) -> None:
        """Says which of `code_candidates` of the newest letter is its code."""
        self._shop.call("/email/choosecode", {"id": self.id, "code": code}, repeat=True)

    def set_note(self, note: str) -> None:
        """Changes the note of the order; an empty one removes it."""
        self._shop.call("/email/note", {"id": self.id, "note": note}, repeat=True)

    def cancel(self) -> None:
        """Cancels the order and refunds its price, while no letter has come."""
        self._shop.cancel(self.id)

    def reorder(
        self,
        subject: Optional[str] = None,
        regex: Optional[str] = None,
        max_price: Union[str, float, None] = None,
        note: Optional[str] = None,
    ) -> "Order":
        """Orders another letter at the same address, at `max_price` dollars at most; `note` is your own words for it."""
        ask = {
            "id": self.id,
            "subject": subject,
            "regex": regex,
            "max_price": max_price,
            "note": note,
            "client_order_id": str(uuid.uuid4()),
        }
        return Order(self._shop, self._shop.call("/email/reorder", ask, repeat=True))


class Postern:
    """A shop and an account. `token` and `url` may stand in POSTERN_TOKEN and POSTERN_URL."""

    def __init__(
        self,
        token: Optional[str] = None,
        url: Optional[str] = None,
        *,
        timeout: float = 30,
        retries: int = 3,
    ) -> None:
        self._token = token or os.environ.get("POSTERN_TOKEN", "")
        self._url = (url or os.environ.get("POSTERN_URL", "")).rstrip("/")
        if not self._token or not self._url:
            raise ValueError("Postern needs a token and the url of the shop.")
        self._timeout = timeout
        self._retries = retries

    def balance(self) -> str:
        """The balance in dollars, as exact text."""
        return str(self.call("/user/balance", repeat=True)["balance"])

    def offers(self, site: str) -> List[Offer]:
        """The mail domains that have an address for a site."""
        data = self.call("/email/quantity", {"site": site}, repeat=True)["data"]
        return [Offer(name, offer["count"], offer["price"]) for name, offer in data.items()]

    def order(
        self,
        site: str,
        domain: Union[str, List[str]],
        *,
        subject: Optional[str] = None,
        regex: Optional[str] = None,
        max_price: Union[str, float, None] = None,
        note: Optional[str] = None,
        client_order_id: Optional[str] = None,
    ) -> Order:
        """Orders an address for a site, at `max_price` dollars at most. Of several domains the first that has one is taken.

        `note` is your own words for the order: lists and events tell it, and `set_note` changes it.
        A repeated call with the same `client_order_id` is the same order and is paid once; without one each call is an order.
        """
        ask = {
            "site": site,
            "domain": domain if isinstance(domain, str) else ",".join(domain),
            "subject": subject,
            "regex": regex,
            "max_price": max_price,
            "note": note,
            "client_order_id": client_order_id or str(uuid.uuid4()),
        }
        return Order(self, self.call("/email/order", ask, repeat=True))

    def letter(self, order_id: str) -> Optional[Letter]:
        """The newest letter of an order; None while none has come."""
        try:
            return self._letter(order_id, 0)
        except PosternError as error:
            if error.value == "wait message":
                return None
            raise

    def cancel(self, order_id: str) -> None:
        """Cancels an order and refunds its price, while no letter has come."""
        self.call("/email/cancel", {"id": order_id})

    def call(
        self, path: str, ask: Optional[Mapping[str, Optional[str]]] = None, *, repeat: bool = False
    ) -> Dict[str, Any]:
        """Any call of the documentation that is taken as POST or GET, without `status`.

        With `repeat` the call is made again when its answer was lost: only for what does nothing more the second time.
        """
        return self._call(path, ask, repeat=repeat, timeout=self._timeout)

    def _letter(self, order_id: str, wait: int) -> Letter:
        ask = {"id": order_id, "wait": str(wait)}
        answer = self._call("/email/getmessage", ask, repeat=True, timeout=self._timeout + wait)
        return Letter(
            answer["message"],
            answer.get("code"),
            answer.get("link"),
            answer.get("value"),
            answer,
            answer.get("code_confidence"),
            tuple(answer.get("code_candidates", ())),
        )

    def _call(
        self, path: str, ask: Optional[Mapping[str, Optional[str]]], *, repeat: bool, timeout: float
    ) -> Dict[str, Any]:
        tries = 0
        while True:
            tries += 1
            try:
                return self._once(path, ask or {}, timeout)
            except PosternError as error:
                # A call that was refused for its rate did nothing.
                may_repeat = error.value == "limit" or (repeat and error.value in ("connection", "server"))
                pause = error.retry_after if error.retry_after is not None else 0.25 * 2**tries
                if not may_repeat or tries > self._retries or pause > _PAUSE_MAX:
                    raise
                time.sleep(pause)

    def _once(self, path: str, ask: Mapping[str, Optional[str]], timeout: float) -> Dict[str, Any]:
        given = urllib.parse.urlencode({name: value for name, value in ask.items() if value is not None})
        request = urllib.request.Request(f"{self._url}{path}?{given}" if given else f"{self._url}{path}")
        # The token stands in no address.
        request.add_header("authorization", f"Bearer {self._token}")
        try:
            try:
                with urllib.request.urlopen(request, timeout=timeout) as response:
                    body = response.read()
            except urllib.error.HTTPError as error:
                body = error.read()
            answer = json.loads(body)
            status = answer.pop("status", None)
        except (OSError, ValueError, AttributeError) as error:
            reason = getattr(error, "reason", error)
            raise PosternError("connection", {"hint": f"The shop at {self._url} gave no answer ({reason})."}) from error
        if status != "success":
            raise PosternError(str(answer.pop("value", "connection")), answer)
        return answer
