import { type ComponentType, lazy } from "react";

export class LoadError extends Error {
  /** Lets the next use load again. Called once the failure is shown, so that React does not retry endlessly. */
  readonly forget: () => void;

  constructor(cause: unknown, forget: () => void) {
    super("a part of the page could not be loaded", { cause });
    this.forget = forget;
  }
}

/** A component whose code loads when it is first shown. Throws a LoadError to the nearest ErrorBoundary. */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  const loadLazily = () =>
    lazy(async () => {
      try {
        return { default: await load() };
      } catch (cause) {
        throw new LoadError(cause, () => {
          Loaded = loadLazily();
        });
      }
    });
  let Loaded: ComponentType<Props> = loadLazily();
  return function Part(props: Props) {
    return <Loaded {...props} />;
  };
}
