// A schedule: what happens in one run, as plain data. The same schedule gives the same run.
import type { FrameFault, NetworkFault, Purpose } from '../browser/network.ts';
import type { BotWord } from '../server/bot.ts';
import type { KillPoint } from '../server/database.ts';

/** How a page ends: the chat is removed, the page is left and told so, or its process is killed. */
export type TabEnd = 'destroyed' | 'left' | 'killed';

/** `tab`: counts the tabs that are open, and begins again after the last one. */
export type Step =
  | { do: 'open'; browser: number; isOpen: boolean }
  | { do: 'end'; tab: number; how: TabEnd }
  | { do: 'reload'; tab: number; how: TabEnd; isOpen: boolean }
  | { do: 'duplicate'; tab: number }
  | { do: 'freeze'; tab: number; isTold: boolean }
  | { do: 'thaw' }
  | { do: 'hide'; tab: number; isHidden: boolean }
  | { do: 'toggle'; tab: number }
  | { do: 'type'; tab: number; word: BotWord; count: number; under?: NetworkFault; times?: number }
  | { do: 'draft'; tab: number }
  | { do: 'older'; tab: number }
  | { do: 'retry'; tab: number }
  | { do: 'discard'; tab: number }
  | { do: 'restartConversation'; tab: number }
  | { do: 'login'; tab: number; user: number }
  | { do: 'logout'; tab: number }
  /** The site does not know the user of the browser any more, and has not told the chat. */
  | { do: 'siteForgets'; browser: number }
  /** The page sets the name of its user; `isRefused`: the key that the chat has for it is not valid any more. */
  | { do: 'name'; tab: number; under?: NetworkFault; isRefused: boolean }
  | { do: 'deleteUser'; tab: number }
  | { do: 'deleteConversation'; tab: number }
  | { do: 'edit'; tab: number }
  | { do: 'stop'; tab: number }
  | { do: 'typing'; tab: number }
  | { do: 'event'; tab: number }
  | { do: 'elsewhere'; tab: number; word?: BotWord }
  | { do: 'deleteMessage'; tab: number }
  | { do: 'member'; how: 'take' | 'reply' | 'return' | 'close'; tab: number; member: number }
  | { do: 'rate'; tab: number }
  | { do: 'fault'; on: Purpose; fault: NetworkFault; times: number }
  | { do: 'cut' }
  | { do: 'reopen'; on: Purpose; fault: NetworkFault; times: number }
  | { do: 'forget'; times: number }
  | { do: 'stall' }
  | { do: 'frames'; faults: FrameFault[] }
  | { do: 'offline'; browser: number }
  | { do: 'online' }
  | { do: 'sleep'; browser: number; ms: number }
  | { do: 'skew'; browser: number; ms: number }
  | { do: 'storage'; browser: number; state: 'usable' | 'full' | 'blocked' | 'cleared' }
  | { do: 'stopServer'; process: number }
  | { do: 'kill'; process: number; at?: KillPoint; count?: number }
  | { do: 'freezeServer'; process: number }
  | { do: 'startServers' }
  | { do: 'relay'; fate: 'lost' | 'doubled' | 'held'; times: number }
  | { do: 'wait'; ms: number }
  | { do: 'rest' };

export type StepName = Step['do'];

export interface Schedule {
  seed: number;
  /** 1, or 2 processes with a relay between them. */
  processes: 1 | 2;
  /** A Chat API server without the additions of this one. */
  isPlain: boolean;
  /** Pages have a function that the chat asks for the key of their user. */
  isAsked?: boolean;
  steps: Step[];
}
