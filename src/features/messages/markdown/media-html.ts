import { escapeHtml } from './sanitize';
import {
  ANIMATED_THUMBNAIL,
  isAudio,
  isVideo,
  STILL_THUMBNAIL,
  type UploadedMedia,
  type UploadedPicture,
} from './render-context';
import { uploadPath } from './urls';

/** The class of the placeholder for an image whose thumbnails are pending. */
const LOADING = 'image-loading-placeholder';
const LOADER = '/static/images/loading/loader-black.svg';

/** A link to an uploaded file. */
export interface MediaLink {
  readonly href: string;
  /** The text of the link. */
  readonly text: string;
  readonly media: UploadedMedia;
}

/**
 * The preview below text that links to a file, as HTML.
 * @param title the text of the link; empty if it shows only the address
 * @returns null for a file that has no preview
 */
export function previewHtml({ href, media }: MediaLink, title: string): string | null {
  const target = escapeHtml(href);
  const label = title === '' ? '' : ` title="${escapeHtml(title)}"`;
  const link = `<a href="${target}"${label}>`;
  if (media.picture)
    return `<div class="message_inline_image">${link}${previewImage(target, media)}</a></div>`;
  if (!isVideo(media)) return null;
  const player = `<video preload="metadata" src="${target}"></video>`;
  return `<div class="message_inline_image message_inline_video">${link}${player}</a></div>`;
}

/** The HTML that embeds a file in the text; null if the file stays a link. */
export function embeddedHtml({ href, text, media }: MediaLink): string | null {
  const [target, label] = [escapeHtml(href), escapeHtml(text)];
  if (media.picture) return embeddedImage(target, label, media);
  if (!isAudio(media)) return null;
  const title = label === '' ? '' : ` title="${label}"`;
  return `<audio controls preload="metadata" src="${target}"${title}></audio>`;
}

/** Whether the HTML of a message may contain placeholders for images. */
export function mayAwaitPictures(html: string): boolean {
  return html.includes(LOADING);
}

/** Parts of sanitized HTML: attributes contain no bare quotation marks, and tags no bare `>`. */
const WAITING_PREVIEW =
  /(?<=<div class="message_inline_image"><a href="(?<target>[^"]*)"(?: title="[^"]*")?>)<img class="image-loading-placeholder" [^>]*>(?=<\/a><\/div>)/g;
const WAITING_IMAGE =
  /<img alt="(?<label>[^"]*)" class="inline-image image-loading-placeholder" [^>]*data-original-src="(?<target>[^"]*)"[^>]*>/g;

/** The paths, after `/user_uploads/`, of the files for which sanitized HTML has placeholders. */
export function awaitedPaths(html: string): string[] {
  if (!mayAwaitPictures(html)) return [];
  const targets = [WAITING_PREVIEW, WAITING_IMAGE].flatMap((waiting) =>
    [...html.matchAll(waiting)].map(({ groups }) => groups!.target!),
  );
  return [...new Set(targets.map(uploadPath).filter((path) => path !== undefined))];
}

/**
 * Replaces placeholders in sanitized HTML with finished images. Images without thumbnails are shown as uploaded.
 * @param mediaOf undefined for a file that is gone
 */
export function fillPictures(html: string, mediaOf: (path: string) => UploadedMedia | undefined): string {
  if (!mayAwaitPictures(html)) return html;
  const found = (target: string) => mediaOf(uploadPath(target) ?? '') ?? GONE;
  return html
    .replace(WAITING_PREVIEW, (...match) => {
      const { target } = match.at(-1) as { target: string };
      return previewImage(target, found(target));
    })
    .replace(WAITING_IMAGE, (...match) => {
      const { target, label } = match.at(-1) as { target: string; label: string };
      return embeddedImage(target, label, found(target));
    });
}

/** Replaces the placeholders in sanitized HTML with the images as uploaded. */
export function showAsUploaded(html: string): string {
  return fillPictures(html, () => undefined);
}

const NO_THUMBNAILS = {
  width: 0,
  height: 0,
  isAnimated: false,
  transcoded: null,
  thumbnails: 'none',
} as const;
const GONE: UploadedMedia = { contentType: '', picture: NO_THUMBNAILS };

/** In this function and those below, the target and the label are HTML. */
function previewImage(target: string, media: UploadedMedia): string {
  const picture = media.picture ?? NO_THUMBNAILS;
  const isWaiting = picture.thumbnails === 'waiting';
  return image({ ...(isWaiting ? { class: LOADING } : {}), ...shownAs(target, media.contentType, picture) });
}

function embeddedImage(target: string, label: string, media: UploadedMedia): string {
  const picture = media.picture ?? NO_THUMBNAILS;
  const isWaiting = picture.thumbnails === 'waiting';
  return image({
    alt: label,
    class: isWaiting ? `inline-image ${LOADING}` : 'inline-image',
    'data-original-src': target,
    ...shownAs(target, media.contentType, picture),
  });
}

/** The attributes for the source of an image and for the metadata that clients use. */
function shownAs(target: string, contentType: string, picture: UploadedPicture): Record<string, string> {
  const { width, height, isAnimated, transcoded, thumbnails } = picture;
  if (thumbnails === 'none') return { src: target };
  const known = {
    'data-original-content-type': contentType,
    'data-original-dimensions': `${width}x${height}`,
  };
  if (thumbnails === 'waiting') return { ...known, src: LOADER };
  return {
    ...known,
    ...(isAnimated ? { 'data-animated': 'true' } : {}),
    ...(transcoded === null ? {} : { 'data-transcoded-image': transcoded }),
    src: thumbnailUrl(target, isAnimated ? ANIMATED_THUMBNAIL.name : STILL_THUMBNAIL.name),
  };
}

function thumbnailUrl(target: string, name: string): string {
  const path = target.replace(/[?#].*$/s, '').slice('/user_uploads/'.length);
  return `/user_uploads/thumbnail/${path}/${name}`;
}

/** An `img` element with its attributes in alphabetical order. */
function image(attributes: Record<string, string>): string {
  const written = Object.entries(attributes).sort(([one], [other]) => (one < other ? -1 : 1));
  return `<img ${written.map(([name, value]) => `${name}="${value}"`).join(' ')}>`;
}
