const sitesMax = 30;

/** The mail type that was last chosen for each site, this one newest; the oldest are forgotten. */
export function rememberType(
  types: Readonly<Record<string, string>>,
  site: string,
  type: string,
): Record<string, string> {
  const others = Object.entries(types).filter(([known]) => known !== site);
  return Object.fromEntries([[site, type], ...others].slice(0, sitesMax));
}

/** The domain of an address. */
export const domainOf = (email: string): string => email.slice(email.lastIndexOf("@") + 1);
