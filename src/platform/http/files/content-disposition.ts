/**
 * Tells a browser what to do with a file, and under which name to save it. For any name, the header has one line and
 * one meaning (RFC 6266, RFC 8187).
 */
export function contentDisposition(kind: 'inline' | 'attachment', fileName: string): string {
  const plain = fileName.replace(/[^ -~]|["\\%]/gu, '_');
  const exact = encodeURIComponent(fileName.toWellFormed()).replace(
    /['()*!]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${plain}"; filename*=UTF-8''${exact}`;
}
