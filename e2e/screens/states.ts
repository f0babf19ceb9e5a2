// The list of all states of all surfaces, which `npm run screens` draws and axe checks. A new state belongs to one of these files.
import { answerScenes } from './answers.ts';
import { composerScenes } from './composer.ts';
import { consoleScenes } from './console.ts';
import { conversationScenes } from './conversation.ts';
import { launcherScenes } from './launcher.ts';
import { mailScenes } from './mails.ts';
import { pageScenes } from './pages.ts';
import { panelScenes } from './panels.ts';
import { peopleScenes } from './people.ts';
import type { Scene, ShopStage, Surface, WidgetStage } from './state.ts';
import { windowScenes } from './window.ts';

export const widgetScenes: Scene<WidgetStage>[] = [
  ...launcherScenes,
  ...windowScenes,
  ...answerScenes,
  ...composerScenes,
  ...panelScenes,
  ...conversationScenes,
  ...peopleScenes,
];
export const shopScenes: Scene<ShopStage>[] = [...consoleScenes, ...mailScenes, ...pageScenes];
export const scenes: Scene[] = [...widgetScenes, ...shopScenes];

export const isOfWidget = (surface: Surface): boolean =>
  widgetScenes.some((scene) => scene.surface === surface);
