/** The texts of what messages are written with. */

export const toolbar = 'Formatting';
export const moreTools = 'Formatting buttons';
export const insertEmoji = 'Insert emoji';
export const preview = 'Preview';
export const widgets = { poll: 'Create poll', todo: 'Create to-do list' };
export const nothingToPreview = 'Nothing to preview';

export const formats = {
  bold: 'Bold (Ctrl+B)',
  italic: 'Italic (Ctrl+I)',
  strike: 'Strikethrough (Ctrl+Shift+X)',
  link: 'Link (Ctrl+Shift+L)',
  code: 'Code (Ctrl+E)',
  quote: 'Quote block',
  bullets: 'Bulleted list',
  numbers: 'Numbered list',
  spoiler: 'Spoiler',
};
