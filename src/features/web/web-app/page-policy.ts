/** Always enforced: no framing, and forms post to this server only. */
const ENFORCED = "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/**
 * What the app needs, as far as is known. It was not written under a policy, so that browsers only report what goes beyond
 * it, in their console.
 */
function reported(nonce: string): string {
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}'`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob: https:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "media-src 'self' https:",
    "frame-src 'none'",
    "worker-src 'none'",
    ENFORCED,
  ].join('; ');
}

/** Headers of the page: it has the token of a session and all that a person sees, so nothing keeps a copy. */
export function pageHeaders(nonce: string): Record<string, string> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': ENFORCED,
    'content-security-policy-report-only': reported(nonce),
    'cache-control': 'no-cache, no-store, must-revalidate',
    'referrer-policy': 'same-origin',
  };
}
