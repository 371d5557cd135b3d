// Chromium, where there is one: CHROME_PATH, or `chromium` on the path.
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

export const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
function findBrowser(): string | undefined {
  const { CHROME_PATH, PATH = '' } = process.env;
  const places =
    CHROME_PATH === undefined || CHROME_PATH === ''
      ? PATH.split(delimiter).map((folder) => join(folder, 'chromium'))
      : [CHROME_PATH];
  return places.find((place) => {
    try {
      accessSync(place, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** undefined where there is none. */
export const executablePath = findBrowser();
