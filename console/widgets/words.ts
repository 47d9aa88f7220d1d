/** The texts of polls and to-do lists, which are loaded with the first of them. */

export const poll = {
  label: 'Poll',
  create: 'Create poll',
  question: 'Question',
  noQuestion: 'Poll without a question',
  editQuestion: 'Edit question',
  options: 'Options',
  optionsAbout: 'One per line. Everyone can add more.',
  vote: (option: string, count: number) => `Vote for ${option}, ${count === 1 ? '1 vote' : `${count} votes`}`,
  newOption: 'New option',
  add: 'Add option',
};

export const todo = {
  label: 'To-do list',
  create: 'Create to-do list',
  title: 'Title',
  noTitle: 'To-do list',
  editTitle: 'Edit title',
  tasks: 'Tasks',
  tasksAbout: 'One per line, with a description after a colon. Everyone can add more.',
  newTask: 'New task',
  description: 'Description',
  add: 'Add task',
};
