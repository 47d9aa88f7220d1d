/** A line as the logger writes it, for a process that has no server and so no logger. */
export function logLine(
  level: 'info' | 'error',
  context: string,
  sentence: string,
  fields: Readonly<Record<string, string>> = {},
): string {
  const line = { level, time: new Date().toISOString(), pid: process.pid, context, ...fields, msg: sentence };
  return `${JSON.stringify(line)}\n`;
}
