import type { OrganizationPicture } from '../organization-settings';

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

/** What clients are told of a picture: where it is, and whether somebody uploaded it. */
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
