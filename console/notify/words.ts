/** The texts of push notifications and their settings. */

export const title = 'Push notifications';
export const about =
  'Reach you while the console is closed, on this computer or phone. They stop when you sign out.';
export const missing =
  'They need HTTPS, and a browser that supports them. On iPhone and iPad, add the console to the home screen first (Share › Add to Home Screen).';
export const turnOn = 'Turn on in this browser';
export const denied = 'Notifications are blocked. Allow them in the settings of the browser.';
export const noService = 'This browser can’t reach a push service, or has none.';
export const devices = 'Browsers with push notifications';
export const none = 'Push notifications are off in all your browsers.';
export const device = 'Push service';
export const since = 'Turned on';
export const thisBrowser = (service: string) => `This browser (${service})`;
export const test = 'Test';
export const turnOff = 'Turn off';
export const delivered = 'Test sent. The notification should appear in a moment.';
export const gone = 'The push service no longer knows this browser. Turn push notifications on again there.';
export const failed = (reason: string) => `The test failed: ${reason}.`;
