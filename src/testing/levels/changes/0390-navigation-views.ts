import { levelChange } from '../level-change';
import { newEvents, newRoutes, newStateKeys } from '../keys';

export const change390NavigationViews = levelChange(
  390,
  'Zulip 11.0, feature level 390: People put views into their sidebar.',
  newRoutes(
    'GET /navigation_views',
    'POST /navigation_views',
    'PATCH /navigation_views/{fragment}',
    'DELETE /navigation_views/{fragment}',
  ),
  newStateKeys('navigation_views'),
  newEvents('navigation_view'),
);
