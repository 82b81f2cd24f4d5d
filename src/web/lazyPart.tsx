import { type ComponentType, lazy, useState } from "react";

export class LoadError extends Error {
  /** Lets the next use load again. Called once the failure is shown, so that React does not retry endlessly. */
  readonly forget: () => void;

  constructor(cause: unknown, forget: () => void) {
    super("a part of the page could not be loaded", { cause });
    this.forget = forget;
  }
}

/**
 * A component whose code loads when it is first shown, or ahead by `preload`; from then on it is shown at once.
 * Throws a LoadError to the nearest ErrorBoundary.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> & { preload: () => void } {
  const loadLazily = () =>
    lazy(async () => {
      try {
        const component = await load();
        Loaded = component;
        return { default: component };
      } catch (cause) {
        throw new LoadError(cause, () => {
          Loaded = loadLazily();
        });
      }
    });
  let Loaded: ComponentType<Props> = loadLazily();
  function Part(props: Props) {
    // The same as long as it is shown: another would begin anew.
    const [Shown] = useState(() => Loaded);
    return <Shown {...props} />;
  }
  const preload = () => {
    load().then(
      (component) => (Loaded = component),
      () => {},
    );
  };
  return Object.assign(Part, { preload });
}
