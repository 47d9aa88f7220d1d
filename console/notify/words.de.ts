/** The texts of `words.ts` in German. */

export const title = 'Push-Benachrichtigungen';
export const about =
  'Erreichen dich auf diesem Computer oder Telefon, während die Konsole geschlossen ist. Sie enden, wenn du dich abmeldest.';
export const missing =
  'Sie brauchen HTTPS und einen Browser, der sie unterstützt. Lege die Konsole auf iPhone und iPad zuerst auf den Home-Bildschirm (Teilen › Zum Home-Bildschirm).';
export const turnOn = 'In diesem Browser einschalten';
export const denied = 'Benachrichtigungen sind blockiert. Erlaube sie in den Einstellungen des Browsers.';
export const noService = 'Dieser Browser hat keinen Push-Dienst oder erreicht ihn nicht.';
export const devices = 'Browser mit Push-Benachrichtigungen';
export const none = 'Push-Benachrichtigungen sind in allen deinen Browsern ausgeschaltet.';
export const device = 'Push-Dienst';
export const since = 'Eingeschaltet';
export const thisBrowser = (service: string) => `Dieser Browser (${service})`;
export const test = 'Testen';
export const turnOff = 'Ausschalten';
export const delivered = 'Test gesendet. Die Benachrichtigung sollte gleich erscheinen.';
export const gone =
  'Der Push-Dienst kennt diesen Browser nicht mehr. Schalte Push-Benachrichtigungen dort wieder ein.';
export const failed = (reason: string) => `Der Test ist fehlgeschlagen: ${reason}.`;
