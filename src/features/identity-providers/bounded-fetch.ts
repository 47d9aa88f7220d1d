/** Descriptions, keys and tokens of providers are some kilobytes. */
const MAX_BYTES = 1_048_576;

/** `fetch` for what providers answer: more than a megabyte is refused before it fills the memory. */
export async function boundedFetch(url: string, options: RequestInit): Promise<Response> {
  const response = await fetch(url, options);
  if (response.body === null) return response;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > MAX_BYTES) throw new Error(`The answer is longer than ${MAX_BYTES} bytes.`);
    chunks.push(chunk);
  }
  const { status, statusText, headers } = response;
  // Such answers have no body, and a response must not be made with one.
  return new Response(size === 0 ? null : Buffer.concat(chunks), { status, statusText, headers });
}
