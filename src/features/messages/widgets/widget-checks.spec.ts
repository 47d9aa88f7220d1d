import { widgetIn } from './widget-checks';

const poll = (question: string, ...options: string[]) => ({
  widget_type: 'poll',
  extra_data: { question, options },
});
const todo = (task_list_title: string, ...tasks: [task: string, desc: string][]) => ({
  widget_type: 'todo',
  extra_data: { task_list_title, tasks: tasks.map(([task, desc]) => ({ task, desc })) },
});

describe('A widget', () => {
  it.each([
    ['/poll', poll('')],
    ['/poll Lunch?', poll('Lunch?')],
    [
      '/poll  Lunch? \n\n soup \n- bread\n* wine\n-5\n-\nsoup',
      poll('Lunch?', 'soup', 'bread', 'wine', '5', 'soup'),
    ],
    ['/poll\nsoup', poll('', 'soup')],
    ['/todo Shopping\nbread: brown: two\nmilk', todo('Shopping', ['bread', 'brown: two'], ['milk', ''])],
    ['/todo', todo('')],
  ])('is in %j', (text, widget) => {
    expect(widgetIn(text)).toEqual(widget);
  });

  it.each(['', 'poll', '/polls', '/POLL', ' /poll', 'a /poll', '/poll:x', '/me /poll', '/todos x'])(
    'is not in %j',
    (text) => {
      expect(widgetIn(text)).toBeNull();
    },
  );
});
