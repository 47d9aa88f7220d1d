import { levelChange } from '../level-change';
import { newNarrowTerms } from '../narrows';

export const change271ConversationOfAMessage = levelChange(
  271,
  'Zulip 9.0, feature level 271: `with` is a filter of messages.',
  newNarrowTerms('with'),
);
