import type { Message } from '../connection/records';
import { myId } from '../connection/state';

/** State of a poll after all of its submessages. */
interface Poll {
  readonly kind: 'poll';
  question: string;
  readonly options: Map<string, { readonly text: string; readonly voters: Set<number> }>;
  /** Index of the user's next option. */
  next: number;
}

/** State of a to-do list after all of its submessages. */
interface TodoList {
  readonly kind: 'todo';
  title: string;
  readonly tasks: Map<string, { readonly task: string; readonly description: string; isDone: boolean }>;
  /** Index of the user's next task. */
  next: number;
}

/** Stands for the author in the keys of initial options and tasks, as in all clients. */
const CANNED = 'canned';

type Data = Readonly<Record<string, unknown>>;

const textIn = (data: Data, name: string) => {
  const value = data[name];
  return typeof value === 'string' ? value : '';
};

/** Parses a submessage, which may contain anything that a client sent. */
function dataOf(content: string): Data {
  try {
    const value = JSON.parse(content) as unknown;
    return typeof value === 'object' && value !== null ? (value as Data) : {};
  } catch {
    return {};
  }
}

const listIn = (data: Data, name: string) => {
  const value = data[name];
  return Array.isArray(value) ? (value as unknown[]) : [];
};

/** The poll or to-do list of a message; null if it is neither. */
export function widgetOf({ submessages = [], sender_id: author }: Message): Poll | TodoList | null {
  const [first, ...later] = submessages
    .filter(({ msg_type }) => msg_type === 'widget')
    .sort((one, other) => one.id - other.id);
  if (!first) return null;
  const { widget_type: type, extra_data } = dataOf(first.content);
  const start = (extra_data ?? {}) as Data;
  const widget = type === 'poll' ? pollOf(start) : type === 'todo' ? listOf(start) : null;
  for (const { sender_id: by, content } of later) {
    const data = dataOf(content);
    if (widget?.kind === 'poll') takeInPoll(widget, data, by, by === author);
    else if (widget) takeInList(widget, data, by, by === author);
  }
  return widget;
}

function pollOf(start: Data): Poll {
  const options = listIn(start, 'options').map(
    (text, index) => [`${CANNED},${index}`, { text: String(text), voters: new Set<number>() }] as const,
  );
  return { kind: 'poll', question: textIn(start, 'question'), options: new Map(options), next: 1 };
}

function takeInPoll(poll: Poll, data: Data, by: number, isAuthor: boolean): void {
  const index = Number(data['idx']);
  switch (data['type']) {
    case 'new_option':
      poll.options.set(`${by},${index}`, { text: textIn(data, 'option'), voters: new Set() });
      if (by === myId.value) poll.next = Math.max(poll.next, index + 1);
      break;
    case 'vote': {
      const voters = poll.options.get(textIn(data, 'key'))?.voters;
      if (data['vote'] === 1) voters?.add(by);
      else voters?.delete(by);
      break;
    }
    case 'question':
      if (isAuthor) poll.question = textIn(data, 'question');
  }
}

function listOf(start: Data): TodoList {
  const tasks = listIn(start, 'tasks').map((each, index) => {
    const given = (each ?? {}) as Data;
    const task = { task: textIn(given, 'task'), description: textIn(given, 'desc'), isDone: false };
    return [`${index},${CANNED}`, task] as const;
  });
  return { kind: 'todo', title: textIn(start, 'task_list_title'), tasks: new Map(tasks), next: 1 };
}

function takeInList(list: TodoList, data: Data, by: number, isAuthor: boolean): void {
  const index = Number(data['key']);
  switch (data['type']) {
    case 'new_task': {
      if (by === myId.value) list.next = Math.max(list.next, index + 1);
      const task = textIn(data, 'task');
      // Like all clients, ignores a second task with the same name.
      if ([...list.tasks.values()].some((each) => each.task === task)) break;
      const isDone = data['completed'] === true;
      list.tasks.set(`${index},${by}`, { task, description: textIn(data, 'desc'), isDone });
      break;
    }
    case 'strike': {
      const struck = list.tasks.get(textIn(data, 'key'));
      if (struck) struck.isDone = !struck.isDone;
      break;
    }
    case 'new_task_list_title':
      if (isAuthor) list.title = textIn(data, 'title');
  }
}

/** The text that creates a poll or to-do list when sent. */
export function commandFor(kind: 'poll' | 'todo', title: string, lines: string): string {
  const items = lines.split('\n').filter((line) => line.trim() !== '');
  return [`/${kind} ${title.trim()}`, ...items].join('\n');
}
