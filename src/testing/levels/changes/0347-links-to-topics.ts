import { levelChange } from '../level-change';

export const change347LinksToTopics = levelChange(
  347,
  'Zulip 10.0, feature level 347: Links to topics name a message with `/with/`.',
  { html: (html) => html.replace(/(href="[^"]*\/topic\/[^"/]+)\/with\/\d+"/g, '$1"') },
);
