import { levelChange } from '../level-change';
import { newParameters } from '../keys';

export const change459WhatPeopleLeave = levelChange(
  459,
  'Zulip 12.0, feature level 459: `DELETE /users/{user_id}` takes `actions`.',
  newParameters('DELETE /users/{user_id}', 'actions'),
);
