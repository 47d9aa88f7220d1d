/** Whether a client says that it reads compressed answers, by the header `Accept-Encoding`. */
export function acceptsGzip(accepted: string | undefined): boolean {
  return /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(accepted ?? '');
}
