import { levelChange } from '../level-change';
import { newCapability } from '../keys';

export const change378ArchivingAsAnUpdate = levelChange(
  378,
  'Zulip 11.0, feature level 378: Clients that declare `archived_channels` are told of archived channels by `stream/update`; before, by `stream/delete`.',
  newCapability('archived_channels'),
);
