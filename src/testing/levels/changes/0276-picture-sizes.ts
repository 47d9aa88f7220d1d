import { levelChange } from '../level-change';

export const change276PictureSizes = levelChange(
  276,
  'Zulip 9.0, feature level 276: Pictures of messages have `data-original-dimensions`.',
  { html: (html) => html.replace(/ data-original-dimensions="[^"]*"/g, '') },
);
