import type { OrganizationPicture } from '../../organization-settings/organization-settings.module';
import { json } from '../../../platform/http/parameters/json';
import { Parameter, PathParameter } from '../../../platform/http/parameters/parameter.decorator';
import { text } from '../../../platform/http/parameters/text';
import { defineEvent, type ServerEvent } from '../../../platform/events/server-event';
import { refusal } from '../../../platform/errors/api-error';

/** The pictures of an organization: a square one, and wide ones for light and dark pages. */
export const PICTURE_KINDS = ['icon', 'logo', 'night_logo'] as const;

/** One of these pictures. */
export type PictureKind = (typeof PICTURE_KINDS)[number];

/** Where browsers load uploaded ones; the number is the organization's, of which there is one. */
const PICTURES_PATH = '/user_avatars/1/realm';

/** The picture whose file has this name; undefined where none has. */
export function pictureKindOf(fileName: string): PictureKind | undefined {
  return PICTURE_KINDS.find((kind) => `${kind}.png` === fileName);
}

type PictureKey = `${PictureKind}_${'url' | 'source'}`;

/** Wire keys of a picture: its address, and whether it was uploaded. */
export type PictureWire = { readonly [Key in PictureKey]?: string };

/** The same of all pictures, as clients are told when they register. */
export type PicturesState = { readonly [Key in PictureKey as `realm_${Key}`]: string };

/** Where a picture is, or what is shown in its place. */
export function pictureUrl(kind: PictureKind, { version }: OrganizationPicture): string {
  return `${PICTURES_PATH}/${kind}.png?version=${version}`;
}

/** What clients are told of a picture. */
export function pictureWire(kind: PictureKind, picture: OrganizationPicture): PictureWire {
  const unset = kind === 'icon' ? 'G' : 'D';
  return {
    [`${kind}_url`]: pictureUrl(kind, picture),
    [`${kind}_source`]: picture.key === null ? unset : 'U',
  };
}

/** Puts together what clients are told when they register. @param wires of all pictures */
export function picturesState(wires: readonly PictureWire[]): PicturesState {
  const entries = wires.flatMap((wire) => Object.entries(wire));
  return Object.fromEntries(entries.map(([key, value]) => [`realm_${key}`, value])) as PicturesState;
}

/** Which logo a request is about. */
export class LogoDto {
  /** Whether it is the logo for dark pages. */
  @Parameter(json.boolean()) night!: boolean;
}

/** The picture that the parameters name. */
export function logoKind({ night }: LogoDto): PictureKind {
  return night ? 'night_logo' : 'logo';
}

/** The last part of a picture's address. */
export class OrganizationPictureFileDto {
  /** Name of the picture. */
  @PathParameter(text({ unchecked: true })) file!: string;

  /** Its version, as its address has it. */
  @Parameter(text(), { optional: true }) version?: string;
}

/** The organization has another icon or logo: where it is now. */
const pictureChanged = defineEvent<{ property: PictureKind; data: PictureWire }>('realm', 'update_dict');

/** The organization has another icon or logo, or the one that it begins with. */
export function organizationPictureChanged(kind: PictureKind, data: PictureWire): ServerEvent {
  return pictureChanged({ property: kind, data });
}

/** Nothing was uploaded that has this address. */
export class NoSuchOrganizationPicture extends refusal('Page not found', {
  code: 'NOT_FOUND',
  status: 404,
  headers: { 'cache-control': 'no-store' },
}) {}

/** With what a form is refused that does not have one file. */
export const ONE_ICON = 'You must upload exactly one icon.';
export const ONE_LOGO = 'You must upload exactly one logo.';
