/**
 * The name of the client program: the `client` parameter, else the `User-Agent` up to its version
 * (messages reference 1.4).
 */
export function clientNameOf(clientParameter: string | undefined, userAgent: string | undefined): string {
  const name = clientParameter?.trim() || userAgent?.split(/[/\s]/, 1)[0]?.trim() || 'Unspecified';
  return name.length <= MAX_CLIENT_NAME_LENGTH ? name : [...name].slice(0, MAX_CLIENT_NAME_LENGTH).join('');
}

const MAX_CLIENT_NAME_LENGTH = 30;
