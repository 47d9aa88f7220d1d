import { defineEvent, type ServerEvent } from '../../platform/events/server-event';
import type { PictureKind, PictureWire } from './organization-pictures.wire';

/** The organization has another icon or logo: where it is now. */
const pictureChanged = defineEvent<{ property: PictureKind; data: PictureWire }>('realm', 'update_dict');

/** The organization has another icon or logo, or the one that it begins with. */
export function organizationPictureChanged(kind: PictureKind, data: PictureWire): ServerEvent {
  return pictureChanged({ property: kind, data });
}
