import type { ComponentProps } from "react";

type ExactProps = Omit<ComponentProps<"bdi">, "children"> & { children: string | number };

/**
 * An amount, an address, a code, a name: no page translator may change it. The one text of its element, which
 * React sets as a whole, so that it is right whatever a translator did to the text before.
 */
export function Exact({ children, ...rest }: ExactProps) {
  return (
    <bdi translate="no" {...rest}>
      {children}
    </bdi>
  );
}
