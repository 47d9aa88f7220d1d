type Names = readonly (readonly [RegExp, string])[];

const BROWSERS: Names = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/(Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];

const SYSTEMS: Names = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

const MAX_NAME = 40;

/** What a `User-Agent` header tells people, without versions: `Firefox on Linux`, or the name of another program. */
export function deviceName(userAgent: string): string {
  const nameIn = (names: Names) => names.find(([pattern]) => pattern.test(userAgent))?.[1];
  const browser = userAgent.startsWith('Mozilla/') ? nameIn(BROWSERS) : undefined;
  const program =
    browser ??
    userAgent
      .split(/[/\s]/, 1)[0]!
      .replaceAll(/[^\w.-]/g, '')
      .slice(0, MAX_NAME);
  return [program || 'an unknown program', nameIn(SYSTEMS)].filter(Boolean).join(' on ');
}
