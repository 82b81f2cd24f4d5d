// What the pages expect of React and Preact does in another way (decision 76).
import { options, type VNode } from "preact";

// Preact runs effects after a frame: a key pressed before that would be lost.
options.requestAnimationFrame = queueMicrotask;

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;
interface Held {
  value?: string | number;
  checked?: boolean;
}

const held = new WeakMap<EventTarget, Held>();
const before = options.diffed;

options.diffed = (vnode: VNode<Held> & { __e?: Field }) => {
  before?.(vnode);
  if (vnode.__e && /^(?:input|textarea|select)$/.test(String(vnode.type))) held.set(vnode.__e, vnode.props);
};

/** Shows what the state says where it refused what was typed; Preact touches a field only when the state has changed. */
function putBack({ target, type }: Event): void {
  const field = target as HTMLInputElement | null;
  // A checkbox or a list sends `input` before `change`, and only the latter calls our `onChange`.
  const isChosen = /^(?:checkbox|radio|select)/.test(field?.type ?? "");
  if (!field || (type === "change") !== isChosen) return;
  // After the render that the event has led to.
  queueMicrotask(() => {
    const { value, checked }: Held = held.get(field) ?? {};
    if (typeof checked === "boolean") {
      if (field.checked !== checked) field.checked = checked;
    } else if (value !== undefined && field.value !== String(value)) field.value = String(value);
  });
}

addEventListener("input", putBack);
addEventListener("change", putBack);
