/** The texts of the palette and of the list of keys, which are loaded with them. */

export const palette = {
  title: 'Go to',
  field: 'Channel, person or page',
  search: (text: string) => `Search messages for “${text}”`,
  kinds: { page: 'Page', settings: 'Settings', channel: 'Channel', topic: 'Topic', person: 'Direct message' },
  results: 'Results',
};

export const keys = {
  title: 'Keyboard shortcuts',
  letters: 'Shortcuts of a single key',
  list: [
    ['Ctrl+K', 'Go to a channel, person or page'],
    ['?', 'Show this list'],
    ['/', 'Search messages'],
    ['J or ↓', 'Next message or conversation'],
    ['K or ↑', 'Previous message or conversation'],
    ['Shift+G or End', 'Newest message'],
    ['R', 'Write here'],
    [':', 'Add a reaction to the message'],
    ['>', 'Quote the message'],
    ['<', 'Forward the message'],
    ['E', 'Edit the message'],
    ['↑', 'Edit your last message, if the message box is empty'],
    ['Ctrl+S', 'Star the message'],
    ['I', 'Actions for the message'],
    ['U', 'Profile of the sender'],
    ['V', 'View pictures in full size'],
    ['N', 'Next unread topic'],
    ['P', 'Next unread direct message'],
    ['X', 'New direct message'],
    ['Shift+I', 'Inbox'],
    ['T', 'Recent conversations'],
    ['A', 'Combined feed'],
    ['D', 'Drafts'],
    ['*', 'Starred'],
    ['@', 'Mentions'],
    ['Ctrl+B, Ctrl+I, Ctrl+E', 'Bold, italic, code'],
    ['Ctrl+Shift+X, Ctrl+Shift+L', 'Strikethrough, link'],
    ['Alt+P', 'Preview what you write'],
  ],
} as const;
