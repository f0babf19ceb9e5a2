// The emoji of the picker by group: each with its English name and words that find it. Written by `npm run generate`.
export const emojiData = {
  people: `
😀 grinning face|smile|happy|joy
😃 grinning face with big eyes|happy|joy|haha
😄 grinning face with smiling eyes|happy|joy|funny
😁 beaming face with smiling eyes|happy|smile|joy
😆 grinning squinting face|happy|joy|lol
😅 grinning face with sweat|hot|happy|laugh
🤣 rolling on the floor laughing|face|lol|haha
😂 face with tears of joy|cry|weep|happy
🙂 slightly smiling face|smile|fine|happy
🙃 upside-down face|flipped|silly|smile
😉 winking face|happy|mischievous|secret
😊 smiling face with smiling eyes|smile|happy|flushed
😇 smiling face with halo|angel|heaven|innocent
🥰 smiling face with hearts|love|like|affection
😍 smiling face with heart-eyes|love|like|affection
🤩 star-struck|face|smile|starry
😘 face blowing a kiss|love|like|affection
😗 kissing face|love|like|valentines
☺️ smiling face|blush|massage|happiness
😚 kissing face with closed eyes|love|like|affection
😙 kissing face with smiling eyes|affection|valentines|infatuation
🥲 smiling face with tear|sad|cry|pretend
😋 face savoring food|happy|joy|tongue
😛 face with tongue|prank|childish|playful
😜 winking face with tongue|prank|childish|playful
🤪 zany face|goofy|crazy|excited
😝 squinting face with tongue|prank|playful|mischievous
🤑 money-mouth face|rich|dollar|eyes
🤗 smiling face with open hands|smile|hug|hugs
🤭 face with hand over mouth|whoops|shock|surprise
🤫 shushing face|quiet|shhh|closed
🤔 thinking face|hmmm|think|consider
🤐 zipper-mouth face|sealed|secret|hush
🤨 face with raised eyebrow|distrust|scepticism|disapproval
😐 neutral face|indifference|meh|deadpan
😑 expressionless face|indifferent|meh|deadpan
😶 face without mouth|blank|mouthless|mute
😏 smirking face|smile|mean|prank
😒 unamused face|indifference|bored|straight
🙄 face with rolling eyes|eyeroll|frustrated|eye
😬 grimacing face|grimace|teeth|awkward
🤥 lying face|lie|pinocchio|liar
😌 relieved face|relaxed|phew|massage
😔 pensive face|sad|depressed|upset
😪 sleepy face|tired|rest|nap
🤤 drooling face|drool
😴 sleeping face|tired|sleepy|night
😷 face with medical mask|sick|ill|disease
🤒 face with thermometer|sick|temperature|cold
🤕 face with head-bandage|injured|clumsy|hurt
🤢 nauseated face|vomit|gross|green
🤮 face vomiting|sick|barf|ill
🤧 sneezing face|gesundheit|sneeze|sick
🥵 hot face|feverish|heat|red
🥶 cold face|blue|freezing|frozen
🥴 woozy face|dizzy|intoxicated|tipsy
😵 face with crossed-out eyes|spent|unconscious|xox
🤯 exploding head|face|shocked|mind
🤠 cowboy hat face|cowgirl
🥳 partying face|celebration|woohoo|birthday
🥸 disguised face|pretent|brows|glasses
😎 smiling face with sunglasses|cool|smile|summer
🤓 nerd face|nerdy|geek|dork
🧐 face with monocle|stuffy|wealthy|rich
😕 confused face|indifference|huh|weird
😟 worried face|concern|nervous|sad
🙁 slightly frowning face|disappointed|sad|upset
☹️ frowning face|sad|upset|frown
😮 face with open mouth|surprise|impressed|wow
😯 hushed face|woo|shh|silence
😲 astonished face|xox|surprised|poisoned
😳 flushed face|blush|shy|flattered
🥺 pleading face|begging|mercy|cry
😦 frowning face with open mouth|aw|what|frown
😧 anguished face|stunned|nervous|pained
😨 fearful face|scared|terrified|nervous
😰 anxious face with sweat|nervous|blue|cold
😥 sad but relieved face|phew|sweat|nervous
😢 crying face|tears|sad|depressed
😭 loudly crying face|sobbing|cry|tears
😱 face screaming in fear|munch|scared|omg
😖 confounded face|confused|sick|unwell
😣 persevering face|sick|no|upset
😞 disappointed face|sad|upset|depressed
😓 downcast face with sweat|hot|sad|tired
😩 weary face|tired|sleepy|sad
😫 tired face|sick|whine|upset
🥱 yawning face|tired|sleepy|bored
😤 face with steam from nose|gas|phew|proud
😡 enraged face|angry|mad|hate
😠 angry face|mad|annoyed|frustrated
🤬 face with symbols on mouth|swearing|cursing|cussing
😈 smiling face with horns|devil|evil|fairy
👿 angry face with horns|devil|demon|evil
💀 skull|dead|skeleton|creepy
☠️ skull and crossbones|poison|danger|deadly
💩 pile of poo|hankey|shitface|fail
🤡 clown face|mock
👹 ogre|monster|red|mask
👺 goblin|red|evil|mask
👻 ghost|halloween|spooky|scary
👽 alien|ufo|paul|weird
👾 alien monster|game|arcade|play
🤖 robot|computer|machine|bot
😺 grinning cat|animal|cats|happy
😸 grinning cat with smiling eyes|animal|cats|smile
😹 cat with tears of joy|animal|cats|haha
😻 smiling cat with heart-eyes|animal|love|like
😼 cat with wry smile|animal|cats|smirk
😽 kissing cat|animal|cats|kiss
🙀 weary cat|animal|cats|munch
😿 crying cat|animal|tears|weep
😾 pouting cat|animal|cats|face
🙈 see-no-evil monkey|animal|nature|haha
🙉 hear-no-evil monkey|animal|nature|covering
🙊 speak-no-evil monkey|animal|nature|omg
💌 love letter|email|like|affection
💘 heart with arrow|love|like|affection
💝 heart with ribbon|love|valentines|box
💖 sparkling heart|love|like|affection
💗 growing heart|like|love|affection
💓 beating heart|love|like|affection
💞 revolving hearts|love|like|affection
💕 two hearts|love|like|affection
💟 heart decoration|purple|square|love
❣️ heart exclamation|decoration|love|above
💔 broken heart|sad|sorry|break
❤️ red heart|love|like|valentines
🧡 orange heart|love|like|affection
💛 yellow heart|love|like|affection
💚 green heart|love|like|affection
💙 blue heart|love|like|affection
💜 purple heart|love|like|affection
🤎 brown heart|coffee
🖤 black heart|evil|dark|wicked
🤍 white heart|pure
💯 hundred points|score|perfect|numbers
💢 anger symbol|angry|mad|comic
💥 collision|bomb|explode|explosion
💫 dizzy|star|sparkle|shoot
💦 sweat droplets|water|drip|oops
💨 dashing away|wind|air|fast
🕳️ hole|embarrassing
💬 speech balloon|bubble|words|message
👁️‍🗨️ eye in speech bubble|info|am|witness
🗨️ left speech bubble|words|message|talk
🗯️ right anger bubble|caption|speech|thinking
💭 thought balloon|bubble|cloud|speech
💤 ZZZ|sleepy|tired|dream
👋 waving hand|wave|hands|gesture
🤚 raised back of hand|fingers|backhand|body
🖐️ hand with fingers splayed|palm|body|finger
✋ raised hand|fingers|stop|highfive
🖖 vulcan salute|hand|fingers|spock
👌 OK hand|fingers|limbs|perfect
🤌 pinched fingers|size|tiny|small
🤏 pinching hand|tiny|small|size
✌️ victory hand|fingers|ohyeah|peace
🤞 crossed fingers|good|lucky|body
🤟 love-you gesture|hand|fingers|body
🤘 sign of the horns|hand|fingers|evil
🤙 call me hand|hands|gesture|shaka
👈 backhand index pointing left|direction|fingers|hand
👉 backhand index pointing right|fingers|hand|direction
👆 backhand index pointing up|fingers|hand|direction
🖕 middle finger|hand|fingers|rude
👇 backhand index pointing down|fingers|hand|direction
☝️ index pointing up|hand|fingers|direction
👍 thumbs up|thumbsup|yes|awesome
👎 thumbs down|thumbsdown|no|dislike
✊ raised fist|fingers|hand|grasp
👊 oncoming fist|angry|violence|hit
🤛 left-facing fist|hand|fistbump|body
🤜 right-facing fist|hand|fistbump|body
👏 clapping hands|praise|applause|congrats
🙌 raising hands|gesture|hooray|yea
👐 open hands|fingers|butterfly|body
🤲 palms up together|hands|gesture|cupped
🤝 handshake|agreement|shake|deal
🙏 folded hands|please|hope|wish
✍️ writing hand|lower|left|ballpoint
💅 nail polish|care|beauty|manicure
🤳 selfie|camera|phone|arm
💪 flexed biceps|arm|flex|hand
🦾 mechanical arm|accessibility|body|prosthetic
🦿 mechanical leg|accessibility|body|prosthetic
🦵 leg|kick|limb|body
🦶 foot|kick|stomp|body
👂 ear|face|hear|sound
🦻 ear with hearing aid|accessibility|body|hard
👃 nose|smell|sniff|body
🧠 brain|smart|intelligent|body
🫀 anatomical heart|health|heartbeat|cardiology
🫁 lungs|breathe|breath|exhalation
🦷 tooth|teeth|dentist|body
🦴 bone|skeleton|body
👀 eyes|look|watch|stalk
👁️ eye|face|look|see
👅 tongue|mouth|playful|body
👄 mouth|kiss|body|kissing
👶 baby|child|boy|girl
🧒 child|gender|neutral|young
👦 boy|man|male|guy
👧 girl|female|woman|teenager
🧑 person|gender|neutral|adult
👱 person blond hair|hairstyle|blonde|haired
👨 man|mustache|father|dad
🧔 person beard|bewhiskered|bearded
👩 woman|female|girls|lady
🧑‍🦰 person red hair|hairstyle|adult|gender
🧑‍🦱 person curly hair|hairstyle|adult|gender
🧑‍🦳 person white hair|elder|old|adult
🧑‍🦲 person bald|hairless|adult|gender
🧓 older person|human|elder|senior
👴 old man|human|male|men
👵 old woman|human|female|women
🙍 person frowning|worried|frown|gesture
🙎 person pouting|upset|blank|face
🙅 person gesturing NO|decline|arms|deal
🙆 person gesturing OK|agree|ballerina|face
💁 person tipping hand|information|attendant|bellhop
🙋 person raising hand|question|answering|gesture
🧏 deaf person|accessibility|ear|hear
🙇 person bowing|respectiful|apology|bow
🤦 person facepalming|disappointed|disbelief|exasperation
🤷 person shrugging|regardless|doubt|ignorance
🧑‍⚕️ health worker|hospital|dentist|doctor
🧑‍🎓 student|learn|education|graduate
🧑‍🏫 teacher|professor|education|educator
🧑‍⚖️ judge|law|court|justice
🧑‍🌾 farmer|crops|farm|farming
🧑‍🍳 cook|food|kitchen|culinary
🧑‍🔧 mechanic|worker|technician|electrician
🧑‍🏭 factory worker|labor|assembly|industrial
🧑‍💼 office worker|business|accountant|adviser
🧑‍🔬 scientist|chemistry|biologist|chemist
🧑‍💻 technologist|computer|coder|engineer
🧑‍🎤 singer|song|artist|performer
🧑‍🎨 artist|painting|draw|creativity
🧑‍✈️ pilot|fly|plane|airplane
🧑‍🚀 astronaut|outerspace|moon|planets
🧑‍🚒 firefighter|fire|firetruck
👮 police officer|cop|law|policeman
🕵️ detective|human|spy|eye
💂 guard|protect|british|guardsman
🥷 ninja|ninjutsu|skills|japanese
👷 construction worker|labor|build|builder
🤴 prince|boy|man|male
👸 princess|girl|woman|female
👳 person wearing turban|headdress|arab|man
👲 person with skullcap|male|boy|chinese
🧕 woman with headscarf|female|hijab|mantilla
🤵 person in tuxedo|couple|marriage|wedding
👰 person with veil|couple|marriage|wedding
🤰 pregnant woman|baby|female|pregnancy
🤱 breast-feeding|nursing|baby|breastfeeding
🧑‍🍼 person feeding baby|birth|food|bottle
👼 baby angel|heaven|wings|halo
🎅 Santa Claus|festival|man|male
🤶 Mrs. Claus|woman|female|xmas
🧑‍🎄 Mx Claus|christmas|activity|celebration
🦸 superhero|marvel|fantasy|good
🦹 supervillain|marvel|bad|criminal
🧙 mage|magic|fantasy|sorcerer
🧚 fairy|wings|magical|fantasy
🧛 vampire|blood|twilight|dracula
🧜 merperson|sea|fantasy|merboy
🧝 elf|magical|ears|fantasy
🧞 genie|magical|wishes|djinn
🧟 zombie|dead|fantasy|undead
💆 person getting massage|relax|face|head
💇 person getting haircut|hairstyle|barber|beauty
🚶 person walking|move|hike|pedestrian
🧍 person standing|still|stand
🧎 person kneeling|pray|respectful|kneel
🧑‍🦯 person with white cane|blind|accessibility
🧑‍🦼 person in motorized wheelchair|disability|accessibility
🧑‍🦽 person in manual wheelchair|disability|accessibility
🏃 person running|move|exercise|jogging
💃 woman dancing|female|girl|fun
🕺 man dancing|male|boy|fun
🕴️ person in suit levitating|business|levitate|hover
👯 people with bunny ears|perform|costume|dancer
🧖 person in steamy room|relax|spa|hamam
🧗 person climbing|sport|bouldering|climber
🤺 person fencing|sports|sword|fencer
🏇 horse racing|animal|betting|competition
⛷️ skier|sports|winter|snow
🏂 snowboarder|sports|winter|ski
🏌️ person golfing|sports|business|ball
🏄 person surfing|sport|sea|surf
🚣 person rowing boat|sport|move|paddles
🏊 person swimming|sport|pool|swim
⛹️ person bouncing ball|sports|human|basketball
🏋️ person lifting weights|sports|training|exercise
🚴 person biking|bicycle|bike|cyclist
🚵 person mountain biking|bicycle|bike|cyclist
🤸 person cartwheeling|sport|gymnastic|cartwheel
🤼 people wrestling|sport|wrestle|wrestler
🤽 person playing water polo|sport
🤾 person playing handball|sport|ball
🤹 person juggling|performance|balance|juggle
🧘 person in lotus position|meditate|meditation|serenity
🛀 person taking bath|clean|shower|bathroom
🛌 person in bed|rest|accommodation|hotel
🧑‍🤝‍🧑 people holding hands|friendship|couple|date
👭 women holding hands|pair|friendship|couple
👫 woman and man holding hands|pair|people|human
👬 men holding hands|pair|couple|love
💏 kiss|pair|valentines|love
💑 couple with heart|pair|love|like
🗣️ speaking head|user|person|human
👤 bust in silhouette|user|person|human
👥 busts in silhouette|user|person|human
🫂 people hugging|care|goodbye|hello
👪 family|home|parents|child
👣 footprints|feet|tracking|walking`,
  nature: `
🐵 monkey face|animal|nature|circus
🐒 monkey|animal|nature|banana
🦍 gorilla|animal|nature|circus
🦧 orangutan|animal|ape
🐶 dog face|animal|friend|nature
🐕 dog|animal|nature|friend
🦮 guide dog|animal|blind|accessibility
🐕‍🦺 service dog|blind|animal|accessibility
🐩 poodle|dog|animal|nature
🐺 wolf|animal|nature|wild
🦊 fox|animal|nature|face
🦝 raccoon|animal|nature|curious
🐱 cat face|animal|meow|nature
🐈 cat|animal|meow|pet
🐈‍⬛ black cat|superstition|luck|halloween
🦁 lion|animal|nature|face
🐯 tiger face|animal|cat|danger
🐅 tiger|animal|nature|roar
🐆 leopard|animal|nature|african
🐴 horse face|animal|brown|nature
🐎 horse|animal|gamble|luck
🦄 unicorn|animal|nature|mystical
🦓 zebra|animal|nature|stripes
🦌 deer|animal|nature|horns
🦬 bison|ox|buffalo|herd
🐮 cow face|beef|ox|animal
🐂 ox|animal|cow|beef
🐃 water buffalo|animal|nature|ox
🐄 cow|beef|ox|animal
🐷 pig face|animal|oink|nature
🐖 pig|animal|nature|hog
🐗 boar|animal|nature|pig
🐽 pig nose|animal|oink|face
🐏 ram|animal|sheep|nature
🐑 ewe|animal|nature|wool
🐐 goat|animal|nature|capricorn
🐪 camel|animal|hot|desert
🐫 two-hump camel|animal|nature|hot
🦙 llama|animal|nature|alpaca
🦒 giraffe|animal|nature|spots
🐘 elephant|animal|nature|nose
🦣 mammoth|elephant|tusks|extinct
🦏 rhinoceros|animal|nature|horn
🦛 hippopotamus|animal|nature|hippo
🐭 mouse face|animal|nature|cheese
🐁 mouse|animal|nature|rodent
🐀 rat|animal|mouse|rodent
🐹 hamster|animal|nature|face
🐰 rabbit face|animal|nature|pet
🐇 rabbit|animal|nature|pet
🐿️ chipmunk|animal|nature|rodent
🦫 beaver|animal|rodent|dam
🦔 hedgehog|animal|nature|spiny
🦇 bat|animal|nature|blind
🐻 bear|animal|nature|wild
🐻‍❄️ polar bear|animal|arctic|face
🐨 koala|animal|nature|bear
🐼 panda|animal|nature|face
🦥 sloth|animal|lazy|slow
🦦 otter|animal|fishing|playful
🦨 skunk|animal|smelly|stink
🦘 kangaroo|animal|nature|australia
🦡 badger|animal|nature|honey
🐾 paw prints|animal|tracking|footprints
🦃 turkey|animal|bird|thanksgiving
🐔 chicken|animal|cluck|nature
🐓 rooster|animal|nature|chicken
🐣 hatching chick|animal|chicken|egg
🐤 baby chick|animal|chicken|bird
🐥 front-facing baby chick|animal|chicken|bird
🐦 bird|animal|nature|fly
🐧 penguin|animal|nature|bird
🕊️ dove|animal|bird|fly
🦅 eagle|animal|nature|bird
🦆 duck|animal|nature|bird
🦢 swan|animal|nature|bird
🦉 owl|animal|nature|bird
🦤 dodo|animal|bird|extinct
🪶 feather|bird|fly|flight
🦩 flamingo|animal|flamboyant|tropical
🦚 peacock|animal|nature|peahen
🦜 parrot|animal|nature|bird
🐸 frog|animal|nature|croak
🐊 crocodile|animal|nature|reptile
🐢 turtle|animal|slow|nature
🦎 lizard|animal|nature|reptile
🐍 snake|animal|evil|nature
🐲 dragon face|animal|myth|nature
🐉 dragon|animal|myth|nature
🦕 sauropod|animal|nature|dinosaur
🦖 T-Rex|animal|nature|dinosaur
🐳 spouting whale|animal|nature|sea
🐋 whale|animal|nature|sea
🐬 dolphin|animal|nature|fish
🦭 seal|animal|creature|sea
🐟 fish|animal|food|nature
🐠 tropical fish|animal|swim|ocean
🐡 blowfish|animal|nature|food
🦈 shark|animal|nature|fish
🐙 octopus|animal|creature|ocean
🐚 spiral shell|nature|sea|beach
🦀 crab|animal|crustacean|cancer
🦞 lobster|animal|nature|bisque
🦐 shrimp|animal|ocean|nature
🦑 squid|animal|nature|ocean
🦪 oyster|food|diving|pearl
🐌 snail|slow|animal|shell
🦋 butterfly|animal|insect|nature
🐛 bug|animal|insect|nature
🐜 ant|animal|insect|nature
🐝 honeybee|animal|insect|nature
🪲 beetle|insect|bug
🐞 lady beetle|animal|insect|nature
🦗 cricket|animal|chirp|grasshopper
🪳 cockroach|insect|pests|pest
🕷️ spider|animal|arachnid|insect
🕸️ spider web|animal|insect|arachnid
🦂 scorpion|animal|arachnid|scorpio
🦟 mosquito|animal|nature|insect
🪰 fly|insect|disease|maggot
🪱 worm|animal|annelid|earthworm
🦠 microbe|amoeba|bacteria|germs
💐 bouquet|flowers|nature|spring
🌸 cherry blossom|nature|plant|spring
💮 white flower|japanese|spring|blossom
🏵️ rosette|flower|decoration|military
🌹 rose|flowers|valentines|love
🥀 wilted flower|plant|nature|rose
🌺 hibiscus|plant|vegetable|flowers
🌻 sunflower|nature|plant|fall
🌼 blossom|nature|flowers|yellow
🌷 tulip|flowers|plant|nature
🌱 seedling|plant|nature|grass
🪴 potted plant|greenery|house|boring
🌲 evergreen tree|plant|nature|fir
🌳 deciduous tree|plant|nature|rounded
🌴 palm tree|plant|vegetable|nature
🌵 cactus|vegetable|plant|nature
🌾 sheaf of rice|nature|plant|crop
🌿 herb|vegetable|plant|medicine
☘️ shamrock|vegetable|plant|nature
🍀 four leaf clover|vegetable|plant|nature
🍁 maple leaf|nature|plant|vegetable
🍂 fallen leaf|nature|plant|vegetable
🍃 leaf fluttering in wind|nature|plant|tree
🍄 mushroom|plant|vegetable|fungus`,
  food: `
🍇 grapes|fruit|food|wine
🍈 melon|fruit|nature|food
🍉 watermelon|fruit|food|picnic
🍊 tangerine|food|fruit|nature
🍋 lemon|fruit|nature|citrus
🍌 banana|fruit|food|monkey
🍍 pineapple|fruit|nature|food
🥭 mango|fruit|food|tropical
🍎 red apple|fruit|mac|school
🍏 green apple|fruit|nature|delicious
🍐 pear|fruit|nature|food
🍑 peach|fruit|nature|food
🍒 cherries|food|fruit|berries
🍓 strawberry|fruit|food|nature
🫐 blueberries|fruit|berry|bilberry
🥝 kiwi fruit|food|chinese|gooseberry
🍅 tomato|fruit|vegetable|nature
🫒 olive|fruit|food|olives
🥥 coconut|fruit|nature|food
🥑 avocado|fruit|food
🍆 eggplant|vegetable|nature|food
🥔 potato|food|tuber|vegatable
🥕 carrot|vegetable|food|orange
🌽 ear of corn|food|vegetable|plant
🌶️ hot pepper|food|spicy|chilli
🫑 bell pepper|fruit|plant|capsicum
🥒 cucumber|fruit|food|pickle
🥬 leafy green|food|vegetable|plant
🥦 broccoli|fruit|food|vegetable
🧄 garlic|food|spice|cook
🧅 onion|cook|food|spice
🥜 peanuts|food|nut|nuts
🌰 chestnut|food|squirrel|acorn
🍞 bread|food|wheat|breakfast
🥐 croissant|food|bread|french
🥖 baguette bread|food|french|france
🫓 flatbread|flour|food|bakery
🥨 pretzel|food|bread|twisted
🥯 bagel|food|bread|bakery
🥞 pancakes|food|breakfast|flapjacks
🧇 waffle|food|breakfast|brunch
🧀 cheese wedge|food|chadder|swiss
🍖 meat on bone|good|food|drumstick
🍗 poultry leg|food|meat|drumstick
🥩 cut of meat|food|cow|chop
🥓 bacon|food|breakfast|pork
🍔 hamburger|meat|fast|food
🍟 french fries|chips|snack|fast
🍕 pizza|food|party|italy
🌭 hot dog|food|frankfurter|america
🥪 sandwich|food|lunch|bread
🌮 taco|food|mexican
🌯 burrito|food|mexican|wrap
🫔 tamale|food|masa|mexican
🥙 stuffed flatbread|food|gyro|mediterranean
🧆 falafel|food|mediterranean|chickpea
🥚 egg|food|chicken|breakfast
🍳 cooking|food|breakfast|kitchen
🥘 shallow pan of food|cooking|casserole|paella
🍲 pot of food|meat|soup|hot
🫕 fondue|cheese|pot|food
🥣 bowl with spoon|food|breakfast|cereal
🥗 green salad|food|healthy|lettuce
🍿 popcorn|food|movie|theater
🧈 butter|food|cook|dairy
🧂 salt|condiment|shaker
🥫 canned food|soup|tomatoes|can
🍱 bento box|food|japanese|lunch
🍘 rice cracker|food|japanese|snack
🍙 rice ball|food|japanese|onigiri
🍚 cooked rice|food|asian|boiled
🍛 curry rice|food|spicy|hot
🍜 steaming bowl|food|japanese|noodle
🍝 spaghetti|food|italian|pasta
🍠 roasted sweet potato|food|nature|plant
🍢 oden|skewer|food|japanese
🍣 sushi|food|fish|japanese
🍤 fried shrimp|food|animal|appetizer
🍥 fish cake with swirl|food|japan|sea
🥮 moon cake|food|autumn|dessert
🍡 dango|food|dessert|sweet
🥟 dumpling|food|empanada|pierogi
🥠 fortune cookie|food|prophecy|dessert
🥡 takeout box|food|leftovers|chinese
🍦 soft ice cream|food|hot|dessert
🍧 shaved ice|hot|dessert|summer
🍨 ice cream|food|hot|dessert
🍩 doughnut|food|dessert|snack
🍪 cookie|food|snack|oreo
🎂 birthday cake|food|dessert|candles
🍰 shortcake|food|dessert|cake
🧁 cupcake|food|dessert|bakery
🥧 pie|food|dessert|pastry
🍫 chocolate bar|food|snack|dessert
🍬 candy|snack|dessert|sweet
🍭 lollipop|food|snack|candy
🍮 custard|dessert|food|pudding
🍯 honey pot|bees|sweet|kitchen
🍼 baby bottle|food|container|milk
🥛 glass of milk|beverage|drink|cow
☕ hot beverage|caffeine|latte|espresso
🫖 teapot|drink|hot|kettle
🍵 teacup without handle|drink|bowl|breakfast
🍶 sake|wine|drink|drunk
🍾 bottle with popping cork|drink|wine|celebration
🍷 wine glass|drink|beverage|drunk
🍸 cocktail glass|drink|drunk|alcohol
🍹 tropical drink|beverage|cocktail|summer
🍺 beer mug|relax|beverage|drink
🍻 clinking beer mugs|relax|beverage|drink
🥂 clinking glasses|beverage|drink|party
🥃 tumbler glass|drink|beverage|drunk
🥤 cup with straw|drink|soda|go
🧋 bubble tea|taiwan|boba|milk
🧃 beverage box|drink|juice|straw
🧉 mate|drink|tea|beverage
🧊 ice|water|cold|cube
🥢 chopsticks|food|hashi|jeotgarak
🍽️ fork and knife with plate|food|eat|meal
🍴 fork and knife|cutlery|kitchen|cooking
🥄 spoon|cutlery|kitchen|tableware
🔪 kitchen knife|blade|cutlery|weapon
🏺 amphora|vase|jar|aquarius`,
  activities: `
🎃 jack-o-lantern|halloween|light|pumpkin
🎄 Christmas tree|festival|vacation|december
🎆 fireworks|photo|festival|carnival
🎇 sparkler|stars|night|shine
🧨 firecracker|dynamite|boom|explode
✨ sparkles|stars|shine|shiny
🎈 balloon|party|celebration|birthday
🎉 party popper|congratulations|birthday|magic
🎊 confetti ball|festival|party|birthday
🎋 tanabata tree|plant|nature|branch
🎍 pine decoration|japanese|plant|nature
🎎 Japanese dolls|toy|kimono|activity
🎏 carp streamer|fish|japanese|koinobori
🎐 wind chime|nature|ding|spring
🎑 moon viewing ceremony|photo|japan|asia
🧧 red envelope|gift|ang|good
🎀 ribbon|decoration|pink|girl
🎁 wrapped gift|present|birthday|christmas
🎗️ reminder ribbon|sports|cause|support
🎟️ admission tickets|sports|concert|entrance
🎫 ticket|event|concert|pass
🎖️ military medal|award|winning|army
🏆 trophy|win|award|contest
🏅 sports medal|award|winning|gold
🥇 1st place medal|award|winning|first
🥈 2nd place medal|award|second|silver
🥉 3rd place medal|award|third|bronze
⚽ soccer ball|sports|football
⚾ baseball|sports|balls|ball
🥎 softball|sports|balls|ball
🏀 basketball|sports|balls|nba
🏐 volleyball|sports|balls|ball
🏈 american football|sports|balls|nfl
🏉 rugby football|sports|team|ball
🎾 tennis|sports|balls|green
🥏 flying disc|sports|frisbee|ultimate
🎳 bowling|sports|fun|play
🏏 cricket game|sports|ball|bat
🏑 field hockey|sports|ball|game
🏒 ice hockey|sports|game|puck
🥍 lacrosse|sports|ball|stick
🏓 ping pong|sports|pingpong|ball
🏸 badminton|sports|birdie|game
🥊 boxing glove|sports|fighting
🥋 martial arts uniform|judo|karate|taekwondo
🥅 goal net|sports|catch
⛳ flag in hole|sports|business|summer
⛸️ ice skate|sports|skating
🎣 fishing pole|food|hobby|summer
🤿 diving mask|sport|ocean|scuba
🎽 running shirt|play|pageant|athletics
🎿 skis|sports|winter|cold
🛷 sled|sleigh|luge|toboggan
🥌 curling stone|sports|game|rock
🎯 bullseye|game|play|bar
🪀 yo-yo|toy|fluctuate|yoyo
🪁 kite|wind|fly|soar
🔫 water pistol|violence|weapon|revolver
🎱 pool 8 ball|hobby|game|luck
🔮 crystal ball|disco|party|magic
🪄 magic wand|supernature|power|witch
🎮 video game|play|console|controller
🕹️ joystick|game|play|entertainment
🎰 slot machine|bet|gamble|vegas
🎲 game die|dice|random|tabletop
🧩 puzzle piece|interlocking|clue|jigsaw
🧸 teddy bear|plush|stuffed|plaything
🪅 piñata|mexico|candy|celebration
🪆 nesting dolls|matryoshka|toy|doll
♠️ spade suit|poker|cards|suits
♥️ heart suit|poker|cards|magic
♦️ diamond suit|poker|cards|magic
♣️ club suit|poker|cards|magic
♟️ chess pawn|expendable|black|dupe
🃏 joker|poker|cards|game
🀄 mahjong red dragon|game|play|chinese
🎴 flower playing cards|game|sunset|red
🎭 performing arts|acting|theater|drama
🖼️ framed picture|photography|art|frame
🎨 artist palette|design|paint|draw
🧵 thread|needle|sewing|spool
🪡 sewing needle|stitches|embroidery|sutures
🧶 yarn|ball|crochet|knit
🪢 knot|rope|scout|tangled`,
  travel: `
🌍 globe showing Europe-Africa|world|earth|international
🌎 globe showing Americas|world|usa|earth
🌏 globe showing Asia-Australia|world|east|earth
🌐 globe with meridians|earth|international|world
🗺️ world map|location|direction|travel
🗾 map of Japan|nation|country|japanese
🧭 compass|magnetic|navigation|orienteering
🏔️ snow-capped mountain|photo|nature|environment
⛰️ mountain|photo|nature|environment
🌋 volcano|photo|nature|disaster
🗻 mount fuji|photo|mountain|nature
🏕️ camping|photo|outdoors|tent
🏖️ beach with umbrella|weather|summer|sunny
🏜️ desert|photo|warm|saharah
🏝️ desert island|photo|tropical|mojito
🏞️ national park|photo|environment|nature
🏟️ stadium|photo|place|sports
🏛️ classical building|art|culture|history
🏗️ building construction|wip|working|progress
🧱 brick|bricks|clay|construction
🪨 rock|stone|boulder|construction
🪵 wood|nature|timber|trunk
🛖 hut|house|structure|roundhouse
🏘️ houses|buildings|photo|building
🏚️ derelict house|abandon|evict|broken
🏠 house|building|home
🏡 house with garden|home|plant|nature
🏢 office building|bureau|work|city
🏣 Japanese post office|building|envelope|communication
🏤 post office|building|email|european
🏥 hospital|building|health|surgery
🏦 bank|building|money|sales
🏨 hotel|building|accomodation|checkin
🏩 love hotel|like|affection|dating
🏪 convenience store|building|shopping|groceries
🏫 school|building|student|education
🏬 department store|building|shopping|mall
🏭 factory|building|industry|pollution
🏯 Japanese castle|photo|building|fortress
🏰 castle|building|royalty|history
💒 wedding|love|like|affection
🗼 Tokyo tower|photo|japanese|eiffel
🗽 Statue of Liberty|american|newyork|new
⛪ church|building|religion|christ
🕌 mosque|islam|worship|minaret
🛕 hindu temple|religion
🕍 synagogue|judaism|worship|temple
⛩️ shinto shrine|temple|japan|kyoto
🕋 kaaba|mecca|mosque|islam
⛲ fountain|photo|summer|water
⛺ tent|photo|camping|outdoors
🌁 foggy|photo|mountain|bridge
🌃 night with stars|evening|city|downtown
🏙️ cityscape|photo|night|life
🌄 sunrise over mountains|view|vacation|photo
🌅 sunrise|morning|view|vacation
🌆 cityscape at dusk|photo|evening|sky
🌇 sunset|photo|good|morning
🌉 bridge at night|photo|sanfrancisco|gate
♨️ hot springs|bath|warm|relax
🎠 carousel horse|photo|carnival|activity
🎡 ferris wheel|photo|carnival|londoneye
🎢 roller coaster|carnival|playground|photo
💈 barber pole|hair|salon|style
🎪 circus tent|festival|carnival|party
🚂 locomotive|transportation|vehicle|train
🚃 railway car|transportation|vehicle|carriage
🚄 high-speed train|transportation|vehicle|bullettrain
🚅 bullet train|transportation|vehicle|speed
🚆 train|transportation|vehicle|diesel
🚇 metro|transportation|blue|square
🚈 light rail|transportation|vehicle|railway
🚉 station|transportation|vehicle|public
🚊 tram|transportation|vehicle|trolleybus
🚝 monorail|transportation|vehicle
🚞 mountain railway|transportation|vehicle|car
🚋 tram car|transportation|vehicle|carriage
🚌 bus|car|vehicle|transportation
🚍 oncoming bus|vehicle|transportation|front
🚎 trolleybus|bart|transportation|vehicle
🚐 minibus|vehicle|car|transportation
🚑 ambulance|health|hospital|vehicle
🚒 fire engine|transportation|cars|vehicle
🚓 police car|vehicle|cars|transportation
🚔 oncoming police car|vehicle|law|legal
🚕 taxi|uber|vehicle|cars
🚖 oncoming taxi|vehicle|cars|uber
🚗 automobile|red|transportation|vehicle
🚘 oncoming automobile|car|vehicle|transportation
🚙 sport utility vehicle|transportation|blue|campervan
🛻 pickup truck|car|transportation|vehicle
🚚 delivery truck|cars|transportation|vehicle
🚛 articulated lorry|vehicle|cars|transportation
🚜 tractor|vehicle|car|farming
🏎️ racing car|sports|race|fast
🏍️ motorcycle|race|sports|fast
🛵 motor scooter|vehicle|vespa|sasha
🦽 manual wheelchair|accessibility
🦼 motorized wheelchair|accessibility
🛺 auto rickshaw|move|transportation|tuk
🚲 bicycle|bike|sports|exercise
🛴 kick scooter|vehicle|razor
🛹 skateboard|board|skate
🛼 roller skate|footwear|sports|derby
🚏 bus stop|transportation|wait|busstop
🛣️ motorway|road|cupertino|interstate
🛤️ railway track|train|transportation
🛢️ oil drum|barrell
⛽ fuel pump|gas|station|petroleum
🚨 police car light|ambulance|emergency|alert
🚥 horizontal traffic light|transportation|signal
🚦 vertical traffic light|transportation|driving|semaphore
🛑 stop sign|octagonal
🚧 construction|wip|progress|caution
⚓ anchor|ship|ferry|sea
⛵ sailboat|ship|summer|transportation
🛶 canoe|boat|paddle|water
🚤 speedboat|ship|transportation|vehicle
🛳️ passenger ship|yacht|cruise|ferry
⛴️ ferry|boat|ship|yacht
🛥️ motor boat|ship|motorboat|vehicle
🚢 ship|transportation|titanic|deploy
✈️ airplane|vehicle|transportation|flight
🛩️ small airplane|flight|transportation|fly
🛫 airplane departure|airport|flight|landing
🛬 airplane arrival|airport|flight|boarding
🪂 parachute|fly|glide|hang
💺 seat|sit|airplane|transport
🚁 helicopter|transportation|vehicle|fly
🚟 suspension railway|vehicle|transportation
🚠 mountain cableway|transportation|vehicle|ski
🚡 aerial tramway|transportation|vehicle|ski
🛰️ satellite|communication|gps|orbit
🚀 rocket|launch|ship|staffmode
🛸 flying saucer|transportation|vehicle|ufo
🛎️ bellhop bell|service|hotel
🧳 luggage|packing|travel|suitcase
⌛ hourglass done|time|clock|oldschool
⏳ hourglass not done|oldschool|time|countdown
⌚ watch|time|accessories|apple
⏰ alarm clock|time|wake|morning
⏱️ stopwatch|time|deadline|clock
⏲️ timer clock|alarm
🕰️ mantelpiece clock|time
🕛 twelve o’clock|time|noon|midnight
🕧 twelve-thirty|time|late|early
🕐 one o’clock|time|late|early
🕜 one-thirty|time|late|early
🕑 two o’clock|time|late|early
🕝 two-thirty|time|late|early
🕒 three o’clock|time|late|early
🕞 three-thirty|time|late|early
🕓 four o’clock|time|late|early
🕟 four-thirty|time|late|early
🕔 five o’clock|time|late|early
🕠 five-thirty|time|late|early
🕕 six o’clock|time|late|early
🕡 six-thirty|time|late|early
🕖 seven o’clock|time|late|early
🕢 seven-thirty|time|late|early
🕗 eight o’clock|time|late|early
🕣 eight-thirty|time|late|early
🕘 nine o’clock|time|late|early
🕤 nine-thirty|time|late|early
🕙 ten o’clock|time|late|early
🕥 ten-thirty|time|late|early
🕚 eleven o’clock|time|late|early
🕦 eleven-thirty|time|late|early
🌑 new moon|nature|twilight|planet
🌒 waxing crescent moon|nature|twilight|planet
🌓 first quarter moon|nature|twilight|planet
🌔 waxing gibbous moon|nature|night|sky
🌕 full moon|nature|yellow|twilight
🌖 waning gibbous moon|nature|twilight|planet
🌗 last quarter moon|nature|twilight|planet
🌘 waning crescent moon|nature|twilight|planet
🌙 crescent moon|night|sleep|sky
🌚 new moon face|nature|twilight|planet
🌛 first quarter moon face|nature|twilight|planet
🌜 last quarter moon face|nature|twilight|planet
🌡️ thermometer|weather|temperature|hot
☀️ sun|weather|nature|brightness
🌝 full moon face|nature|twilight|planet
🌞 sun with face|nature|morning|sky
🪐 ringed planet|outerspace|planets|saturn
⭐ star|night|yellow|gold
🌟 glowing star|night|sparkle|awesome
🌠 shooting star|night|photo|activity
🌌 milky way|photo|space|stars
☁️ cloud|weather|sky|cloudy
⛅ sun behind cloud|weather|nature|cloudy
⛈️ cloud with lightning and rain|weather|thunder
🌤️ sun behind small cloud|weather|white
🌥️ sun behind large cloud|weather|white
🌦️ sun behind rain cloud|weather|white
🌧️ cloud with rain|weather
🌨️ cloud with snow|weather|cold
🌩️ cloud with lightning|weather|thunder
🌪️ tornado|weather|cyclone|twister
🌫️ fog|weather|cloud
🌬️ wind face|gust|air|blow
🌀 cyclone|weather|swirl|blue
🌈 rainbow|nature|happy|unicorn
🌂 closed umbrella|weather|rain|drizzle
☂️ umbrella|weather|spring|clothing
☔ umbrella with rain drops|rainy|weather|spring
⛱️ umbrella on ground|weather|summer|beach
⚡ high voltage|thunder|weather|lightning
❄️ snowflake|winter|season|cold
☃️ snowman|winter|season|cold
⛄ snowman without snow|winter|season|cold
☄️ comet|space
🔥 fire|hot|cook|flame
💧 droplet|water|drip|faucet
🌊 water wave|sea|nature|tsunami`,
  objects: `
👓 glasses|fashion|accessories|eyesight
🕶️ sunglasses|face|cool|accessories
🥽 goggles|eyes|protection|safety
🥼 lab coat|doctor|experiment|scientist
🦺 safety vest|protection|emergency
👔 necktie|shirt|suitup|formal
👕 t-shirt|fashion|cloth|casual
👖 jeans|fashion|shopping|clothing
🧣 scarf|neck|winter|clothes
🧤 gloves|hands|winter|clothes
🧥 coat|jacket|clothing
🧦 socks|stockings|clothes|clothing
👗 dress|clothes|fashion|shopping
👘 kimono|dress|fashion|women
🥻 sari|dress|clothing|saree
🩱 one-piece swimsuit|fashion|bathing|clothing
🩲 briefs|clothing|bathing|brief
🩳 shorts|clothing|bathing|pants
👙 bikini|swimming|female|woman
👚 woman’s clothes|fashion|shopping|bags
👛 purse|fashion|accessories|money
👜 handbag|fashion|accessory|accessories
👝 clutch bag|accessories|shopping|clothing
🛍️ shopping bags|mall|buy|purchase
🎒 backpack|student|education|bag
🩴 thong sandal|footwear|summer|beach
👞 man’s shoe|fashion|male|brown
👟 running shoe|shoes|sports|sneakers
🥾 hiking boot|backpacking|camping|clothing
🥿 flat shoe|ballet|slip|on
👠 high-heeled shoe|fashion|shoes|female
👡 woman’s sandal|shoes|fashion|flip
🩰 ballet shoes|dance|clothing|pointe
👢 woman’s boot|shoes|fashion|boots
👑 crown|king|kod|leader
👒 woman’s hat|fashion|accessories|female
🎩 top hat|magic|gentleman|classy
🎓 graduation cap|school|college|degree
🧢 billed cap|baseball|clothing|hat
🪖 military helmet|army|protection|soldier
⛑️ rescue worker’s helmet|construction|build|aid
📿 prayer beads|dhikr|religious|clothing
💄 lipstick|female|girl|fashion
💍 ring|wedding|propose|marriage
💎 gem stone|blue|ruby|diamond
🔇 muted speaker|sound|volume|silence
🔈 speaker low volume|sound|silence|broadcast
🔉 speaker medium volume|broadcast|low|one
🔊 speaker high volume|noise|noisy|broadcast
📢 loudspeaker|volume|sound|address
📣 megaphone|sound|speaker|volume
📯 postal horn|instrument|music|bugle
🔔 bell|sound|notification|christmas
🔕 bell with slash|sound|volume|mute
🎼 musical score|treble|clef|compose
🎵 musical note|score|tone|sound
🎶 musical notes|music|score|activity
🎙️ studio microphone|sing|recording|artist
🎚️ level slider|scale|music
🎛️ control knobs|dial|music
🎤 microphone|sound|music|pa
🎧 headphone|music|score|gadgets
📻 radio|communication|music|podcast
🎷 saxophone|music|instrument|jazz
🎺 trumpet|music|brass|activity
🪗 accordion|music|accordian|box
🎸 guitar|music|instrument|acoustic
🎹 musical keyboard|piano|instrument|compose
🎻 violin|music|instrument|orchestra
🪕 banjo|music|instructment|activity
🥁 drum|music|instrument|drumsticks
🪘 long drum|music|beat|conga
📱 mobile phone|technology|apple|gadgets
📲 mobile phone with arrow|iphone|incoming|call
☎️ telephone|technology|communication|dial
📞 telephone receiver|technology|communication|dial
📟 pager|bbcall|oldschool|beeper
📠 fax machine|communication|technology|facsimile
🔋 battery|power|energy|sustain
🔌 electric plug|charger|power|ac
💻 laptop|technology|screen|display
🖥️ desktop computer|technology|computing|screen
🖨️ printer|paper|ink|computer
⌨️ keyboard|technology|computer|type
🖱️ computer mouse|click|button|three
🖲️ trackball|technology|trackpad|computer
💽 computer disk|technology|record|data
💾 floppy disk|oldschool|technology|save
💿 optical disk|technology|dvd|disc
📀 dvd|cd|disk|disc
🧮 abacus|calculation|count|counting
🎥 movie camera|film|record|activity
🎞️ film frames|movie|cinema|entertainment
📽️ film projector|video|tape|record
🎬 clapper board|movie|film|record
📺 television|technology|program|oldschool
📷 camera|gadgets|photography|digital
📸 camera with flash|photography|gadgets|photo
📹 video camera|film|record|camcorder
📼 videocassette|record|video|oldschool
🔍 magnifying glass tilted left|search|zoom|find
🔎 magnifying glass tilted right|search|zoom|find
🕯️ candle|fire|wax|light
💡 light bulb|electricity|idea|comic
🔦 flashlight|dark|camping|sight
🏮 red paper lantern|light|halloween|spooky
🪔 diya lamp|lighting|oil
📔 notebook with decorative cover|classroom|notes|record
📕 closed book|read|library|knowledge
📖 open book|read|library|knowledge
📗 green book|read|library|knowledge
📘 blue book|read|library|knowledge
📙 orange book|read|library|knowledge
📚 books|literature|library|study
📓 notebook|stationery|record|notes
📒 ledger|notes|paper|binder
📃 page with curl|documents|office|paper
📜 scroll|documents|ancient|history
📄 page facing up|documents|office|paper
📰 newspaper|press|headline|communication
🗞️ rolled-up newspaper|press|headline|delivery
📑 bookmark tabs|favorite|save|order
🔖 bookmark|favorite|label|save
🏷️ label|sale|tag
🪙 coin|money|currency|gold
💰 money bag|dollar|payment|coins
💴 yen banknote|money|sales|japanese
💵 dollar banknote|money|sales|bill
💶 euro banknote|money|sales|dollar
💷 pound banknote|british|sterling|money
💸 money with wings|dollar|bills|payment
💳 credit card|money|sales|dollar
🧾 receipt|accounting|expenses|bookkeeping
💹 chart increasing with yen|green|square|graph
✉️ envelope|letter|postal|inbox
📧 e-mail|communication|inbox|email
📨 incoming envelope|email|inbox|communication
📩 envelope with arrow|email|communication|above
📤 outbox tray|inbox|email|box
📥 inbox tray|email|documents|box
📦 package|mail|gift|cardboard
📫 closed mailbox with raised flag|email|inbox|communication
📪 closed mailbox with lowered flag|email|communication|inbox
📬 open mailbox with raised flag|email|inbox|communication
📭 open mailbox with lowered flag|email|inbox|communication
📮 postbox|email|letter|envelope
🗳️ ballot box with ballot|election|vote|voting
✏️ pencil|stationery|write|paper
✒️ black nib|pen|stationery|writing
🖋️ fountain pen|stationery|writing|write
🖊️ pen|stationery|writing|write
🖌️ paintbrush|drawing|creativity|art
🖍️ crayon|drawing|creativity|communication
📝 memo|write|documents|stationery
💼 briefcase|business|documents|work
📁 file folder|documents|business|office
📂 open file folder|documents|load
🗂️ card index dividers|organizing|business|stationery
📅 calendar|schedule|date|day
📆 tear-off calendar|schedule|date|planning
🗒️ spiral notepad|memo|stationery|note
🗓️ spiral calendar|date|schedule|planning
📇 card index|business|stationery|rolodex
📈 chart increasing|graph|presentation|stats
📉 chart decreasing|graph|presentation|stats
📊 bar chart|graph|presentation|stats
📋 clipboard|stationery|documents
📌 pushpin|stationery|mark|here
📍 round pushpin|stationery|location|map
📎 paperclip|documents|stationery|clippy
🖇️ linked paperclips|documents|stationery|communication
📏 straight ruler|stationery|calculate|length
📐 triangular ruler|stationery|math|architect
✂️ scissors|stationery|cut|black
🗃️ card file box|business|stationery|database
🗄️ file cabinet|filing|organizing
🗑️ wastebasket|bin|trash|rubbish
🔒 locked|security|password|padlock
🔓 unlocked|privacy|security|lock
🔏 locked with pen|security|secret|fountain
🔐 locked with key|security|privacy|closed
🔑 key|lock|door|password
🗝️ old key|lock|door|password
🔨 hammer|tools|build|create
🪓 axe|tool|chop|cut
⛏️ pick|tools|dig|mining
⚒️ hammer and pick|tools|build|create
🛠️ hammer and wrench|tools|build|create
🗡️ dagger|weapon|knife
⚔️ crossed swords|weapon
💣 bomb|boom|explode|explosion
🪃 boomerang|weapon|australia|rebound
🏹 bow and arrow|sports|archer|archery
🛡️ shield|protection|security|weapon
🪚 carpentry saw|cut|chop|carpenter
🔧 wrench|tools|diy|ikea
🪛 screwdriver|tools|screw|tool
🔩 nut and bolt|handy|tools|fix
⚙️ gear|cog|cogwheel|tool
🗜️ clamp|tool|compress|compression
⚖️ balance scale|law|fairness|weight
🦯 white cane|accessibility|blind
🔗 link|rings|url|chain
⛓️ chains|lock|arrest|chain
🪝 hook|tools|catch|crook
🧰 toolbox|tools|diy|fix
🧲 magnet|attraction|magnetic|horseshoe
🪜 ladder|tools|climb|rung
⚗️ alembic|distilling|science|experiment
🧪 test tube|chemistry|experiment|lab
🧫 petri dish|bacteria|biology|culture
🧬 dna|biologist|genetics|life
🔬 microscope|laboratory|experiment|zoomin
🔭 telescope|stars|space|zoom
📡 satellite antenna|communication|future|radio
💉 syringe|health|hospital|drugs
🩸 drop of blood|period|hurt|harm
💊 pill|health|medicine|doctor
🩹 adhesive bandage|heal|aid|band
🩺 stethoscope|health|doctor|heart
🚪 door|house|entry|exit
🛗 elevator|lift|accessibility|hoist
🪞 mirror|reflection|reflector|speculum
🪟 window|scenery|air|frame
🛏️ bed|sleep|rest|bedroom
🛋️ couch and lamp|read|chill|hotel
🪑 chair|sit|furniture|seat
🚽 toilet|restroom|wc|washroom
🪠 plunger|toilet|cup|force
🚿 shower|clean|water|bathroom
🛁 bathtub|clean|shower|bathroom
🪤 mouse trap|cheese|bait|mousetrap
🪒 razor|cut|sharp|shave
🧴 lotion bottle|moisturizer|sunscreen|shampoo
🧷 safety pin|diaper|punk|rock
🧹 broom|cleaning|sweeping|witch
🧺 basket|laundry|farming|picnic
🧻 roll of paper|toilet|towels
🪣 bucket|water|container|cask
🧼 soap|bar|bathing|cleaning
🪥 toothbrush|hygiene|dental|bathroom
🧽 sponge|absorbing|cleaning|porous
🧯 fire extinguisher|quench|extinguish
🛒 shopping cart|trolley
🚬 cigarette|kills|tobacco|joint
⚰️ coffin|vampire|dead|die
🪦 headstone|death|rip|grave
⚱️ funeral urn|dead|die|death
🧿 nazar amulet|bead|charm|evil
🗿 moai|rock|easter|island
🪧 placard|announcement|demonstration|lawn`,
  symbols: `
🏧 ATM sign|money|sales|cash
🚮 litter in bin sign|blue|square|human
🚰 potable water|blue|square|liquid
♿ wheelchair symbol|blue|square|disabled
🚹 men’s room|toilet|restroom|wc
🚺 women’s room|purple|square|woman
🚻 restroom|blue|square|toilet
🚼 baby symbol|orange|square|child
🚾 water closet|toilet|restroom|blue
🛂 passport control|custom|blue|square
🛃 customs|passport|border|blue
🛄 baggage claim|blue|square|airport
🛅 left luggage|blue|square|travel
⚠️ warning|exclamation|wip|alert
🚸 children crossing|school|warning|danger
⛔ no entry|limit|security|privacy
🚫 prohibited|forbid|stop|limit
🚳 no bicycles|bikes|bicycle|bike
🚭 no smoking|cigarette|blue|square
🚯 no littering|trash|bin|garbage
🚱 non-potable water|drink|faucet|tap
🚷 no pedestrians|rules|crossing|walking
📵 no mobile phones|iphone|mute|circle
🔞 no one under eighteen|drink|pub|night
☢️ radioactive|nuclear|danger|international
☣️ biohazard|danger|sign
⬆️ up arrow|blue|square|continue
↗️ up-right arrow|blue|square|point
➡️ right arrow|blue|square|next
↘️ down-right arrow|blue|square|direction
⬇️ down arrow|blue|square|direction
↙️ down-left arrow|blue|square|direction
⬅️ left arrow|blue|square|previous
↖️ up-left arrow|blue|square|point
↕️ up-down arrow|blue|square|direction
↔️ left-right arrow|shape|direction|horizontal
↩️ right arrow curving left|back|return|blue
↪️ left arrow curving right|blue|square|return
⤴️ right arrow curving up|blue|square|direction
⤵️ right arrow curving down|blue|square|direction
🔃 clockwise vertical arrows|sync|cycle|round
🔄 counterclockwise arrows button|blue|square|sync
🔙 BACK arrow|words|return|above
🔚 END arrow|words|above|leftwards
🔛 ON! arrow|words|above|exclamation
🔜 SOON arrow|words|above|rightwards
🔝 TOP arrow|words|blue|square
🛐 place of worship|religion|church|temple
⚛️ atom symbol|science|physics|chemistry
🕉️ om|hinduism|buddhism|sikhism
✡️ star of David|judaism|jew|jewish
☸️ wheel of dharma|hinduism|buddhism|sikhism
☯️ yin yang|balance|religion|tao
✝️ latin cross|christianity|christian|religion
☦️ orthodox cross|suppedaneum|religion|christian
☪️ star and crescent|islam|muslim|religion
☮️ peace symbol|hippie|sign
🕎 menorah|hanukkah|candles|jewish
🔯 dotted six-pointed star|purple|square|religion
♈ Aries|sign|purple|square
♉ Taurus|purple|square|sign
♊ Gemini|sign|zodiac|purple
♋ Cancer|sign|zodiac|purple
♌ Leo|sign|purple|square
♍ Virgo|sign|zodiac|purple
♎ Libra|sign|purple|square
♏ Scorpio|sign|zodiac|purple
♐ Sagittarius|sign|zodiac|purple
♑ Capricorn|sign|zodiac|purple
♒ Aquarius|sign|purple|square
♓ Pisces|purple|square|sign
⛎ Ophiuchus|sign|purple|square
🔀 shuffle tracks button|blue|square|music
🔁 repeat button|loop|record|arrow
🔂 repeat single button|blue|square|loop
▶️ play button|blue|square|right
⏩ fast-forward button|blue|square|play
⏭️ next track button|forward|blue|square
⏯️ play or pause button|blue|square|arrow
◀️ reverse button|blue|square|left
⏪ fast reverse button|play|blue|square
⏮️ last track button|backward|arrow|bar
🔼 upwards button|blue|square|triangle
⏫ fast up button|blue|square|direction
🔽 downwards button|blue|square|direction
⏬ fast down button|blue|square|direction
⏸️ pause button|blue|square|bar
⏹️ stop button|blue|square|black
⏺️ record button|blue|square|black
⏏️ eject button|blue|square|symbol
🎦 cinema|blue|square|record
🔅 dim button|sun|afternoon|warm
🔆 bright button|sun|light|brightness
📶 antenna bars|blue|square|reception
📳 vibration mode|orange|square|phone
📴 mobile phone off|mute|orange|square
♀️ female sign|woman|women|lady
♂️ male sign|man|boy|men
⚧️ transgender symbol|lgbtq|female|lgbt
✖️ multiply|math|calculation|cancel
➕ plus|math|calculation|addition
➖ minus|math|calculation|subtract
➗ divide|math|calculation|heavy
♾️ infinity|forever|paper|permanent
‼️ double exclamation mark|surprise|bangbang|punctuation
⁉️ exclamation question mark|wat|punctuation|surprise
❓ red question mark|doubt|confused|black
❔ white question mark|doubts|gray|huh
❕ white exclamation mark|surprise|punctuation|gray
❗ red exclamation mark|heavy|danger|surprise
〰️ wavy dash|draw|line|moustache
💱 currency exchange|money|sales|dollar
💲 heavy dollar sign|money|sales|payment
⚕️ medical symbol|health|hospital|aesculapius
♻️ recycling symbol|arrow|environment|garbage
⚜️ fleur-de-lis|decorative|scout|new
🔱 trident emblem|weapon|spear|anchor
📛 name badge|fire|forbid|tag
🔰 Japanese symbol for beginner|badge|shield|chevron
⭕ hollow red circle|round|correct|heavy
✅ check mark button|green|square|ok
☑️ check box with check|ok|agree|confirm
✔️ check mark|ok|nike|answer
❌ cross mark|no|delete|remove
❎ cross mark button|green|square|no
➰ curly loop|scribble|draw|shape
➿ double curly loop|tape|cassette|curl
〽️ part alternation mark|graph|presentation|stats
✳️ eight-spoked asterisk|star|sparkle|green
✴️ eight-pointed star|orange|square|shape
❇️ sparkle|stars|green|square
©️ copyright|ip|license|circle
®️ registered|alphabet|circle|sign
™️ trade mark|trademark|brand|law
#️⃣ keycap #|symbol|blue|square
*️⃣ keycap *|star|asterisk
0️⃣ keycap 0|numbers|blue|square
1️⃣ keycap 1|blue|square|numbers
2️⃣ keycap 2|numbers|prime|blue
3️⃣ keycap 3|numbers|prime|blue
4️⃣ keycap 4|numbers|blue|square
5️⃣ keycap 5|numbers|blue|square
6️⃣ keycap 6|numbers|blue|square
7️⃣ keycap 7|numbers|blue|square
8️⃣ keycap 8|blue|square|numbers
9️⃣ keycap 9|blue|square|numbers
🔟 keycap 10|numbers|blue|square
🔠 input latin uppercase|alphabet|words|letters
🔡 input latin lowercase|blue|square|letters
🔢 input numbers|blue|square|for
🔣 input symbols|blue|square|music
🔤 input latin letters|blue|square|alphabet
🅰️ A button (blood type)|red|square|alphabet
🆎 AB button (blood type)|red|square|alphabet
🅱️ B button (blood type)|red|square|alphabet
🆑 CL button|alphabet|words|red
🆒 COOL button|words|blue|square
🆓 FREE button|blue|square|words
ℹ️ information|blue|square|alphabet
🆔 ID button|purple|square|words
Ⓜ️ circled M|alphabet|blue|circle
🆕 NEW button|blue|square|words
🆖 NG button|blue|square|words
🅾️ O button (blood type)|alphabet|red|square
🆗 OK button|good|agree|yes
🅿️ P button|cars|blue|square
🆘 SOS button|help|red|square
🆙 UP! button|blue|square|above
🆚 VS button|words|orange|square
🈁 Japanese “here” button|blue|square|katakana
🈂️ Japanese “service charge” button|blue|square|katakana
🈷️ Japanese “monthly amount” button|chinese|month|moon
🈶 Japanese “not free of charge” button|orange|square|chinese
🈯 Japanese “reserved” button|chinese|point|green
🉐 Japanese “bargain” button|chinese|kanji|obtain
🈹 Japanese “discount” button|cut|divide|chinese
🈚 Japanese “free of charge” button|nothing|chinese|kanji
🈲 Japanese “prohibited” button|kanji|chinese|forbidden
🉑 Japanese “acceptable” button|ok|good|chinese
🈸 Japanese “application” button|chinese|kanji|orange
🈴 Japanese “passing grade” button|chinese|join|kanji
🈳 Japanese “vacancy” button|kanji|chinese|empty
㊗️ Japanese “congratulations” button|chinese|kanji|red
㊙️ Japanese “secret” button|privacy|chinese|sshh
🈺 Japanese “open for business” button|opening|hours|orange
🈵 Japanese “no vacancy” button|full|chinese|red
🔴 red circle|shape|error|danger
🟠 orange circle|round|geometric|large
🟡 yellow circle|round|geometric|large
🟢 green circle|round|geometric|large
🔵 blue circle|shape|icon|button
🟣 purple circle|round|geometric|large
🟤 brown circle|round|geometric|large
⚫ black circle|shape|button|round
⚪ white circle|shape|round|geometric
🟥 red square|card|geometric|large
🟧 orange square|geometric|large
🟨 yellow square|card|geometric|large
🟩 green square|geometric|large
🟦 blue square|geometric|large
🟪 purple square|geometric|large
🟫 brown square|geometric|large
⬛ black large square|shape|icon|button
⬜ white large square|shape|icon|stone
◼️ black medium square|shape|button|icon
◻️ white medium square|shape|stone|icon
◾ black medium-small square|icon|shape|button
◽ white medium-small square|shape|stone|icon
▪️ black small square|shape|icon|geometric
▫️ white small square|shape|icon|geometric
🔶 large orange diamond|shape|jewel|gem
🔷 large blue diamond|shape|jewel|gem
🔸 small orange diamond|shape|jewel|gem
🔹 small blue diamond|shape|jewel|gem
🔺 red triangle pointed up|shape|direction|top
🔻 red triangle pointed down|shape|direction|bottom
💠 diamond with a dot|jewel|blue|gem
🔘 radio button|input|old|music
🔳 white square button|shape|input|geometric
🔲 black square button|shape|input|frame
🏁 chequered flag|contest|finishline|race
🚩 triangular flag|mark|milestone|place
🎌 crossed flags|japanese|nation|country
🏴 black flag|pirate|waving
🏳️ white flag|losing|loser|lost
🏳️‍🌈 rainbow flag|pride|gay|lgbt
🏳️‍⚧️ transgender flag|pride|lgbtq|blue
🏴‍☠️ pirate flag|skull|crossbones|banner`,
};
