import { createHash } from 'node:crypto';
import { OutdatedVersion } from './scim.api';

/** A resource with its version (RFC 7644, 3.14), which is another one whenever anything in it is. */
export function versioned<T extends { readonly meta: object }>(resource: T): T {
  const digest = createHash('sha256').update(JSON.stringify(resource)).digest('base64url').slice(0, 22);
  return { ...resource, meta: { ...resource.meta, version: `W/"${digest}"` } };
}

/** Whether a header names this version, among others or with the star that stands for all. */
export function isVersion(version: string, header: string): boolean {
  const named = header.split(',').map((each) => each.trim().replace(/^W\//, ''));
  return named.includes('*') || named.includes(version.replace(/^W\//, ''));
}

/**
 * Refuses to change what has changed since the directory saw it.
 * @param wanted the header `If-Match`; null where any version is to be changed
 * @throws OutdatedVersion
 */
export function requireVersion(resource: { readonly meta: object }, wanted: string | null): void {
  if (wanted === null) return;
  const { version } = versioned(resource).meta as { readonly version: string };
  if (!isVersion(version, wanted)) throw new OutdatedVersion();
}
