import { BadWidget, BadWidgetData } from './widgets.api';
import { isObject } from '../../../platform/collections';

/** The content of a widget, as clients parse it. */
interface WidgetContent {
  readonly widget_type: string;
  readonly extra_data: unknown;
}

/** `/poll` or `/todo` as the very first word, and the rest. */
const COMMAND = /^\/(?<kind>poll|todo)(?=\s|$)(?<rest>[^]*)$/;

/** The widget that a text starts, or null. */
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

/** The line without its list marker. */
function cleaned(line: string): string {
  return line.trim().replace(/^\s*[-*]\s*/, '');
}

function task(line: string): { task: string; desc: string } {
  const at = line.indexOf(': ');
  if (at < 0) return { task: line, desc: '' };
  return { task: line.slice(0, at).trim(), desc: line.slice(at + 2).trim() };
}

type JsonObject = Readonly<Record<string, unknown>>;

/** Checks one value. @returns a description of the problem, or null */
type Check = (value: unknown, at: string) => string | null;

const MAX_INDEX = 1_000;

const text: Check = (value, at) => (typeof value === 'string' ? null : `${at} is not a string`);
const flag: Check = (value, at) => (typeof value === 'boolean' ? null : `${at} is not a boolean`);
const index: Check = (value, at) => {
  if (!Number.isInteger(value)) return `${at} is not an integer`;
  if ((value as number) < 0) return `${at} is too small`;
  return (value as number) > MAX_INDEX ? `${at} is too large` : null;
};
const vote: Check = (value, at) => {
  if (!Number.isInteger(value)) return `${at} is not an integer`;
  return value === 1 || value === -1 ? null : `Invalid ${at}`;
};

/** An action on a widget. */
interface Action {
  readonly keys: Readonly<Record<string, Check>>;
  /** The refusal for users other than the author. */
  readonly refusal?: string;
}

const POLL: Readonly<Record<string, Action>> = {
  vote: { keys: { key: text, vote } },
  question: {
    keys: { question: text },
    refusal: "You can't edit a question unless you are the author.",
  },
  new_option: { keys: { option: text, idx: index } },
};

const TASKS: Readonly<Record<string, Action>> = {
  new_task: { keys: { key: index, task: text, desc: text, completed: flag } },
  strike: { keys: { key: text } },
  new_task_list_title: {
    keys: { title: text },
    refusal: "You can't edit the task list title unless you are the author.",
  },
};

const ACTIONS: Readonly<Record<string, Readonly<Record<string, Action>>>> = { poll: POLL, todo: TASKS };

/**
 * Validates actions on polls and to-do lists; other widgets accept anything.
 * @param isAuthor whether the user wrote the message
 * @throws BadWidgetData
 */
export function checkWidgetData(widgetType: string, data: unknown, isAuthor: boolean): void {
  const actions = Object.hasOwn(ACTIONS, widgetType) ? ACTIONS[widgetType] : undefined;
  if (!actions) return;
  const at = `${widgetType} data`;
  if (!isObject(data)) throw new BadWidgetData(`${at} is not a dict`);
  refuse(problemOfKeys(data, { type: text }, at));
  const type = data['type'] as string;
  const action = Object.hasOwn(actions, type) ? actions[type] : undefined;
  if (!action) throw new BadWidgetData(`Unknown type for ${at}: ${type}`);
  if (action.refusal !== undefined && !isAuthor) throw new BadWidgetData(action.refusal);
  refuse(problemOfKeys(data, action.keys, at));
  const further = Object.keys(data).filter((key) => key !== 'type' && !Object.hasOwn(action.keys, key));
  if (further.length > 0) throw new BadWidgetData(`Unexpected arguments: ${further.join(', ')}`);
}

/** Parses `widget_content` of a new message. @throws BadWidget */
export function parseWidgetContent(content: string): WidgetContent {
  const widget = parsed(content);
  if (!isObject(widget)) throw new BadWidget('widget_content is not a dict');
  const { widget_type: type, extra_data: data } = widget;
  if (type === undefined) throw new BadWidget('widget_type is not in widget_content');
  if (data === undefined) throw new BadWidget('extra_data is not in widget_content');
  if (!isObject(data)) throw new BadWidget('extra_data is not a dict');
  if (type !== 'zform') throw new BadWidget(`unknown widget type: ${shown(type)}`);
  if (data['type'] === undefined) throw new BadWidget('zform is missing type field');
  if (data['type'] !== 'choices') throw new BadWidget(`unknown zform type: ${shown(data['type'])}`);
  const problem = problemOfKeys(data, { heading: text, choices }, 'extra_data');
  if (problem !== null) throw new BadWidget(problem);
  return { widget_type: type, extra_data: data };
}

const CHOICE: Readonly<Record<string, Check>> = { short_name: text, long_name: text, reply: text };

const choices: Check = (value, at) => {
  if (!Array.isArray(value)) return `${at} is not a list`;
  for (const [number, choice] of value.entries()) {
    const place = `${at}[${number}]`;
    const problem = isObject(choice) ? problemOfKeys(choice, CHOICE, place) : `${place} is not a dict`;
    if (problem !== null) return problem;
  }
  return null;
};

/** The problem of the first key that is missing or invalid. */
function problemOfKeys(value: JsonObject, keys: Readonly<Record<string, Check>>, at: string): string | null {
  for (const [key, check] of Object.entries(keys)) {
    if (!Object.hasOwn(value, key)) return `${key} key is missing from ${at}`;
    const problem = check(value[key], `${at}["${key}"]`);
    if (problem !== null) return problem;
  }
  return null;
}

function refuse(problem: string | null): void {
  if (problem !== null) throw new BadWidgetData(problem);
}

function parsed(content: string): unknown {
  try {
    return JSON.parse(content) as unknown;
  } catch {
    throw new BadWidget('API programmer sent invalid JSON content');
  }
}

/** Formats a value for a refusal. */
function shown(value: unknown): string {
  return (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 100);
}
