import { otherValue } from '../keys';
import { type Json, levelChange } from '../level-change';
import { newPersonalSettingValue } from '../settings';

export const change454NameOfTheHomeView = levelChange(
  454,
  'Zulip 12.0, feature level 454: `web_home_view` may be `recent`, which was `recent_topics`.',
  otherValue('personal settings', 'web_home_view', namedBefore),
  newPersonalSettingValue('web_home_view', 'recent'),
  { event: formerHomeView },
);

function formerHomeView(event: Json): Json {
  const isOne = event['property'] === 'web_home_view' && event['value'] === 'recent';
  return isOne ? { ...event, value: 'recent_topics' } : event;
}

function namedBefore(view: unknown): unknown {
  return view === 'recent' ? 'recent_topics' : view;
}
