const PREFIX = '/api/v1';

/**
 * Whether a request is for a route, such as `GET /users/{user_id}`: `{…_id}` stands for a number,
 * `{email}` for an address, anything else in braces for one part of the path.
 */
export function isRoute(route: string, method: string, path: string): boolean {
  const [verb = '', pattern = ''] = route.split(' ');
  if (verb !== method || !path.startsWith(PREFIX)) return false;
  const parts = pattern.split('/');
  const asked = path.slice(PREFIX.length).split('/');
  return (
    parts.length === asked.length &&
    parts.every((part, at) => {
      const value = asked[at] ?? '';
      if (part.endsWith('_id}')) return /^\d+$/.test(value);
      if (part === '{email}') return /@|%40/.test(value);
      return part.startsWith('{') ? value.length > 0 : part === value;
    })
  );
}
