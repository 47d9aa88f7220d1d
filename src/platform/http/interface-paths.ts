const MAIN_INTERFACE = '/api/v1/';
const API = '/api/';

/** Whether a URL belongs to the main interface, whose answers have the envelope. */
export function isMainInterface(url: string): boolean {
  return url.startsWith(MAIN_INTERFACE) || normalizedPath(url).startsWith(MAIN_INTERFACE);
}

/** Whether a URL belongs to the main or the companion interface. */
export function isApi(url: string): boolean {
  return url.startsWith(API) || normalizedPath(url).startsWith(API);
}

/** The path as the router sees it (slashes collapsed, escapes decoded, no host), with a slash at its end. */
function normalizedPath(url: string): string {
  const path = url
    .replace(/^https?:\/\/[^/]*/i, '')
    .replace(/[?#].*$/s, '')
    .concat('/')
    .replace(/\/\/+/g, '/');
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
