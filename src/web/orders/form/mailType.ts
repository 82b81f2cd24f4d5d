const sitesMax = 30;

export function rememberType(
  types: Readonly<Record<string, string>>,
  site: string,
  type: string,
): Record<string, string> {
  const others = Object.entries(types).filter(([known]) => known !== site);
  return Object.fromEntries([[site, type], ...others].slice(0, sitesMax));
}

export const domainOf = (email: string): string => email.slice(email.lastIndexOf("@") + 1);
