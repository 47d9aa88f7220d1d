import { levelChange } from '../level-change';

export const change336PictureTypes = levelChange(
  336,
  'Zulip 10.0, feature level 336: Pictures of messages have `data-original-content-type`.',
  { html: (html) => html.replace(/ data-original-content-type="[^"]*"/g, '') },
);
