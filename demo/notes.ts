// The notes of the demo bot about Northwind Bikes, a shop that does not exist: its products, and answers to questions.

/** The products of the shop, as on its page (demo/site/index.html). `words`: how visitors name it. Prices in Swiss francs. */
export const products = [
  {
    id: 'city',
    name: 'Fjord',
    price: 1190,
    words: /\b(fjord|city bikes?)\b/,
    about: 'City bike, 8 gears, lights, 15 kg',
  },
  {
    id: 'gravel',
    name: 'Ridge',
    price: 1890,
    words: /\b(ridge|gravel)\b/,
    about: 'Gravel bike, 12 gears, 9.8 kg',
  },
  {
    id: 'cargo',
    name: 'Porter',
    price: 3900,
    words: /\b(porter|cargo)\b/,
    about: 'Cargo bike, 8 gears, 29 kg, carries 80 kg',
  },
  {
    id: 'helmet',
    name: 'Dome helmet',
    price: 89,
    words: /\b(helmets?|dome)\b/,
    about: 'Light, magnetic clasp',
  },
  {
    id: 'light',
    name: 'Beam light',
    price: 59,
    words: /\b(lights?|lamps?|beam)\b/,
    about: '60 lux, charged by USB-C',
  },
  {
    id: 'bag',
    name: 'Market bag',
    price: 75,
    words: /\b(bags?|market)\b/,
    about: 'Waterproof, fits every rack',
  },
] as const;

/** The sections of the page that answers refer to. */
export const sections = {
  bikes: 'Bikes and gear',
  workshop: 'Workshop',
  delivery: 'Delivery and returns',
  visit: 'Visit us',
} as const;
export type Section = keyof typeof sections;

export interface Topic {
  /** Questions about the topic match. */
  asks: RegExp;
  /** Markdown. `[workshop]` becomes the number of the source. */
  answer: string;
  /** Questions that could come next. */
  next: string[];
}

export const topics: Topic[] = [
  {
    asks: /\b(service|maintenance|tune[- ]?up)\b/i,
    answer: `A full service takes **one working day**: bring the bike before six, and ride it home the next afternoon [workshop].

- Brakes, gears and bearings are adjusted, the wheels are trued [workshop].
- It costs **CHF 120**. We call before we replace a part [workshop].
- On Saturdays you need no appointment: we are there from 9 to 16 [visit].`,
    next: ['Book a service', 'What does a puncture cost?'],
  },
  {
    asks: /\b(punctures?|flat (tyre|tire)|inner tubes?)\b/i,
    answer:
      'We repair a puncture **while you wait**, in about 20 minutes, for CHF 25 with a new tube [workshop].',
    next: ['When are you open?', 'How long does a service take?'],
  },
  {
    asks: /\b(deliver|delivery|shipping)\b/i,
    answer: `Gear arrives in **two days**. Bikes are built up and brought by our own van within **one week** [delivery].

Delivery is free above CHF 100 [delivery].`,
    next: ['How long can I return a bike?', 'Show me your bikes'],
  },
  {
    asks: /\b(return|returns|warranty|guarantee)\b/i,
    answer:
      'You can return everything within **30 days**, also after a ride in the rain. Frames have a guarantee of ten years [delivery].',
    next: ['Return order A-1', 'Compare your bikes'],
  },
  {
    asks: /\b(opening hours|(are|when|do) you (open|close)|open on|your address|where are you|(get|come) to you|find you)\b/i,
    answer: `Monday to Friday from **8 to 18**, Saturdays from **9 to 16** [visit]. You find us at Wheel Lane 7, Bern, two minutes from the station [visit].`,
    next: ['How long does a service take?', 'Talk to a person'],
  },
  {
    asks: /\bcompare\b|\bwhich (bike|one of your bikes)\b/i,
    answer: `| | Fjord | Ridge | Porter |
|---|---|---|---|
| Weight | 15 kg | 9.8 kg | 29 kg |
| Gears | 8, in the hub | 12 | 8, in the hub |
| Price | CHF 1190 | CHF 1890 | CHF 3900 |

If it has to carry a week of shopping, take the **Porter**; otherwise most people are happiest with the **Fjord** [bikes].`,
    next: ['Add the Fjord to my cart', 'Show me your bikes'],
  },
];

/** The product that a request names. */
export const findProduct = (request: string): (typeof products)[number] | undefined =>
  products.find(({ words }) => words.test(request.toLowerCase()));
