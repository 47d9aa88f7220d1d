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
