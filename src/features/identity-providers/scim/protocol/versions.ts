import { createHash } from 'node:crypto';
import { OutdatedVersion } from './scim.api';

/** Adds the version to a resource (RFC 7644, 3.14): a digest of its content. */
export function versioned<T extends { readonly meta: object }>(resource: T): T {
  const digest = createHash('sha256').update(JSON.stringify(resource)).digest('base64url').slice(0, 22);
  return { ...resource, meta: { ...resource.meta, version: `W/"${digest}"` } };
}

/** Whether a header contains this version, or the wildcard `*`. */
export function isVersion(version: string, header: string): boolean {
  const named = header.split(',').map((each) => each.trim().replace(/^W\//, ''));
  return named.includes('*') || named.includes(version.replace(/^W\//, ''));
}

/**
 * Refuses to change a resource that has changed since the directory read it.
 * @param wanted the header `If-Match`; null for any version
 * @throws OutdatedVersion
 */
export function requireVersion(resource: { readonly meta: object }, wanted: string | null): void {
  if (wanted === null) return;
  const { version } = versioned(resource).meta as { readonly version: string };
  if (!isVersion(version, wanted)) throw new OutdatedVersion();
}
