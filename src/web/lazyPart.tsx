import { type ComponentType, lazy } from "react";

/** Something that is loaded when it is first shown could not be loaded. */
export class LoadError extends Error {
  /** Lets the next use load it again. Called when the failure is on the page, so that React does not try without end. */
  readonly forget: () => void;

  constructor(cause: unknown, forget: () => void) {
    super("a part of the page could not be loaded", { cause });
    this.forget = forget;
  }
}

/** A component whose code is loaded when it is first shown. Throws a LoadFailure to the ErrorEdge around it. */
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
