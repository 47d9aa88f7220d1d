/** A line in the logger's format, for a process without a server and so without a logger. */
export function logLine(
  level: 'info' | 'error',
  context: string,
  sentence: string,
  fields: Readonly<Record<string, string>> = {},
): string {
  const line = { level, time: new Date().toISOString(), pid: process.pid, context, ...fields, msg: sentence };
  return `${JSON.stringify(line)}\n`;
}
