import type { OrganizationPicture } from '../../organization-settings/organization-settings.module';
import { json } from '../../../platform/http/parameters/json';
import { Parameter, PathParameter } from '../../../platform/http/parameters/parameter.decorator';
import { text } from '../../../platform/http/parameters/text';
import { defineEvent, type ServerEvent } from '../../../platform/events/server-event';
import { refusal } from '../../../platform/errors/api-error';

/** The images of an organization: a square icon, and wide logos for light and dark pages. */
export const PICTURE_KINDS = ['icon', 'logo', 'night_logo'] as const;

/** One of these images. */
export type PictureKind = (typeof PICTURE_KINDS)[number];

/** Path prefix of uploaded images; the number is the ID of the organization, of which there is only one. */
const PICTURES_PATH = '/user_avatars/1/realm';

/** The image with this file name; undefined if there is none. */
export function pictureKindOf(fileName: string): PictureKind | undefined {
  return PICTURE_KINDS.find((kind) => `${kind}.png` === fileName);
}

type PictureKey = `${PictureKind}_${'url' | 'source'}`;

/** Wire keys of an image: its URL, and whether it was uploaded. */
export type PictureWire = { readonly [Key in PictureKey]?: string };

/** The keys of all images in the initial state of clients. */
export type PicturesState = { readonly [Key in PictureKey as `realm_${Key}`]: string };

/** The URL of an image, or of its default. */
export function pictureUrl(kind: PictureKind, { version }: OrganizationPicture): string {
  return `${PICTURES_PATH}/${kind}.png?version=${version}`;
}

/** The data about an image that clients receive. */
export function pictureWire(kind: PictureKind, picture: OrganizationPicture): PictureWire {
  const unset = kind === 'icon' ? 'G' : 'D';
  return {
    [`${kind}_url`]: pictureUrl(kind, picture),
    [`${kind}_source`]: picture.key === null ? unset : 'U',
  };
}

/** Builds the initial state of clients. @param wires of all images */
export function picturesState(wires: readonly PictureWire[]): PicturesState {
  const entries = wires.flatMap((wire) => Object.entries(wire));
  return Object.fromEntries(entries.map(([key, value]) => [`realm_${key}`, value])) as PicturesState;
}

/** Which logo a request is about. */
export class LogoDto {
  /** Whether it is the logo for dark pages. */
  @Parameter(json.boolean()) night!: boolean;
}

/** The image that the parameters name. */
export function logoKind({ night }: LogoDto): PictureKind {
  return night ? 'night_logo' : 'logo';
}

/** The last segment of an image's URL. */
export class OrganizationPictureFileDto {
  /** File name of the image. */
  @PathParameter(text({ unchecked: true })) file!: string;

  /** Its version, as in its URL. */
  @Parameter(text(), { optional: true }) version?: string;
}

/** The organization's icon or logo changed; contains the new URL. */
const pictureChanged = defineEvent<{ property: PictureKind; data: PictureWire }>('realm', 'update_dict');

/** The organization's icon or logo was changed or removed. */
export function organizationPictureChanged(kind: PictureKind, data: PictureWire): ServerEvent {
  return pictureChanged({ property: kind, data });
}

/** No image was uploaded under this URL. */
export class NoSuchOrganizationPicture extends refusal('Page not found', {
  code: 'NOT_FOUND',
  status: 404,
  headers: { 'cache-control': 'no-store' },
}) {}

/** The error for a form without exactly one file. */
export const ONE_ICON = 'You must upload exactly one icon.';
export const ONE_LOGO = 'You must upload exactly one logo.';
