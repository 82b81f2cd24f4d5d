/** Focuses what is found; while the page hides it (`data-settles`), as soon as it is shown, unless the focus has gone elsewhere by then. */
export function focusWhenShown<Found extends HTMLElement>(
  find: () => Found | null | undefined,
  then?: (found: Found) => void,
): void {
  const before = document.activeElement;
  const reach = () => {
    const found = find();
    if (document.activeElement !== before || !found) return;
    found.focus();
    if (document.activeElement === found) then?.(found);
    else if (getComputedStyle(found).visibility === "hidden") requestAnimationFrame(reach);
  };
  reach();
}
