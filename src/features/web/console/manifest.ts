import type { ConsoleIcons } from './console-assets.service';

/** What systems need to know to install the console as an app (Web App Manifest). */
export function manifestOf(organizationName: string, icons: ConsoleIcons): string {
  const icon = (src: string, size: number, purpose: 'any' | 'maskable') => ({
    src,
    sizes: `${size}x${size}`,
    type: 'image/png',
    purpose,
  });
  return JSON.stringify({
    id: '/console',
    name: organizationName,
    short_name: organizationName,
    start_url: '/console',
    // Signing in is part of it.
    scope: '/',
    display: 'standalone',
    background_color: '#ffffff',
    theme_color: '#3558c8',
    icons: [
      icon(icons.small, 192, 'any'),
      icon(icons.large, 512, 'any'),
      icon(icons.maskable, 512, 'maskable'),
    ],
  });
}

const BUBBLE = (color: string) =>
  `<path d="M8 9h16v11H15l-5 4v-4H8z" fill="none" stroke="${color}" stroke-width="2.5" stroke-linejoin="round"/>`;

const svg = (content: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${content}</svg>`;

/** The sign that browsers show beside the name of the page. */
export const ICON = svg(`<rect width="32" height="32" rx="8" fill="#3558c8"/>${BUBBLE('#fff')}`);

/** The same to the edges, for systems that cut icons to a form of their own. */
export const FULL_ICON = svg(`<rect width="32" height="32" fill="#3558c8"/>${BUBBLE('#fff')}`);

/** The outline alone, for the status bar of phones, which take nothing but its shape. */
export const BADGE = svg(BUBBLE('#fff'));
