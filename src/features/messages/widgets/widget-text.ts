/** What makes a message a widget, as clients read it. */
export interface WidgetContent {
  readonly widget_type: string;
  readonly extra_data: unknown;
}

/** `/poll` or `/todo` as the very first word, and the rest. */
const COMMAND = /^\/(?<kind>poll|todo)(?=\s|$)(?<rest>[^]*)$/;

/** The widget that a text asks for, or null. */
export function widgetIn(text: string): WidgetContent | null {
  const { kind, rest = '' } = COMMAND.exec(text)?.groups ?? {};
  if (kind === undefined) return null;
  const [first = '', ...others] = rest.split('\n');
  const lines = others.map(cleaned).filter((line) => line !== '');
  if (kind === 'poll') {
    return { widget_type: 'poll', extra_data: { question: first.trim(), options: lines } };
  }
  return { widget_type: 'todo', extra_data: { task_list_title: first.trim(), tasks: lines.map(task) } };
}

/** Without the mark of a list. */
function cleaned(line: string): string {
  return line.trim().replace(/^\s*[-*]\s*/, '');
}

function task(line: string): { task: string; desc: string } {
  const at = line.indexOf(': ');
  if (at < 0) return { task: line, desc: '' };
  return { task: line.slice(0, at).trim(), desc: line.slice(at + 2).trim() };
}
