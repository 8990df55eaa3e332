"""What is said of an expression in general, "if q · k = 0", "q · k = 0 means": no claim of what it comes to here.

Words of a condition before or behind an equation say so whatever its number is. 0, 1 and −1 are what is said of all
orthogonal or normalised vectors and singular matrices, so less is enough with them; a consequence, "so q · k = 0", is
a claim all the same.
"""

from __future__ import annotations

import re

from symattn.patterns import regex

_MARKUP = r"[\s$`*_(\[\\{（「“\"]*"
_NO_MORE = r"[^.,;:!?=≈<>\n。，；：！？]{0,60}?"  # what may stand between, in one clause and without another equation
_IF = (
    r"(?:(?<!\w)(?:if|when|whenever|once|unless|until|suppos(?:e|ing)|assum(?:e|ing)|imagine|provided|in case|what if"
    r"|set(?:ting)?|solv(?:e|ing)|requir(?:e|ing)|want|setze|löse|posons|poser|résoudre|igualamos|resolvemos|poniamo"
    r"|wenn|falls|sobald|sofern|angenommen|si|quand|lorsque|supposons|cuando|siempre que|supongamos"
    r"|se|quando|caso|suponha|qualora|supponiamo|если|когда|пусть|приравняем|решим|nếu|khi|giả sử|eğer)(?!\w)"
    r"|(?<!\w)lorsqu['’]|如果|若|(?<![相应當应])[当當](?![前然中作做])|假如|假使|假[设設]|倘若|一旦|只要|要是|令|もし|仮に|만약|만일)"
)
_AND = r"(?<!\w)(?:and|or|und|oder|et|ou|y|o|e|и|или|và|hoặc|ve|veya)(?!\w)|且|并且|並且|或者?|かつ|または|그리고|또는"
_SUPPOSED = regex(
    rf"{_IF}(?P<between>{_NO_MORE}){_MARKUP}\Z"
    rf"|{_IF}(?P<others>[^.;!?\n。；！？]{{0,80}}?)(?:{_AND}){_MARKUP}\Z"  # if a = 0 and q · k = 0
    rf"|{_IF}(?P<apart>[^.,;!?\n。，；！？]{{0,80}}?)[(（]{_MARKUP}\Z",  # when cos θ = 0 (q · k = 0)
    re.IGNORECASE,
)
_FOR = regex(  # at the beginning of a clause
    r"(?:\A|[.;:!?,。；：！？，]|\n)[\s*_>-]*(?:for|für|bei|pour|para|per|при|для|对于|對於|对|對|cho)[\s$`*(\\]*\Z",
    re.IGNORECASE,
)
_ANOTHER = regex(
    r"(?<!\w)(?:another|other|different|instead|larger?|bigg?(?:er)?|small(?:er)?|long(?:er)?|models?"
    r"|version|GPT|BERT|LLaMA|in practice|originally|andere[nrs]?|größere\w*|autre|plus grand\w*|otr[oa]|mayor"
    r"|outr[oa]|maior|altr[oa]|друг\w+|больш\w+|khác|lớn hơn|başka|daha büyük)(?![a-z])"
    r"|另一|别的|更大|更小|大模型|他の|다른",
    re.IGNORECASE,
)
_COMPUTES = (  # "when we multiply, q · k" says when something is done
    r"(?<!\w)(?:we (?:see|find)|comput\w*|calcul\w*|calcol\w*|multipl\w*|evaluat\w*|tak(?:e|ing)|plug\w*|substitut\w*"
    r"|insert\w*|add(?:ing)?|gives?|yields?|berechn\w*|einset\w*|erh[aä]lt\w*|ergibt|rechn\w*|obt[eé]\w*|obtien\w*"
    r"|ottien\w*|trouv\w*|trov\w*|ha|tem|tiene|вычисл\w*|получ\w*|подстав\w*|tính|hesapla\w*)(?!\w)"
    r"|計算|计算|算|代入|得|求め|계산|구하"
)
_THEN = r"(?<!\w)(?:then|dann|alors|entonces|então|allora|то|thì|we (?:get|obtain))(?!\w)|则|則|那么|那麼|时|時|とき"
_ENDED = regex(rf"{_THEN}|{_COMPUTES}", re.IGNORECASE)
_SPEAKS_OF_CASE = regex(rf"{_IF}(?!(?:[^,，]|,\s*\d)*?(?:\[|{_COMPUTES}))", re.IGNORECASE)  # and gives no numbers in it
_CLOSED = r"[\s$`*_)\]\\}）」”\"]*"
_UNDER_CONDITION = regex(
    rf"{_CLOSED}(?:(?:の|と|に)?(?:なる|なった|である)?(?:とき|時|场合|場合|なら|であれば|だと)|のもと"
    r"|(?:이|일|인|라|이라|이 되|가 되|일 )?(?:면|때|경우)|的?(?:时候?|時候?)(?!刻|间|間)|的话|的話|的情[况況]"
    r"|(?:ise|iken|olursa|olduğunda|olsaydı)(?!\w)|(?:would|were|might)(?!\w)|wäre(?!\w)|würde(?!\w))",
    re.IGNORECASE,
)
# --- what is enough beside 0, 1 and −1
_SAID_OF = regex(  # "means", "if", "for orthogonal vectors" behind it, with no comma between: a claim may have that
    rf"{_CLOSED}[ —–-]*(?:(?:(?:always|only|simply|just|also|exactly|precisely|here|will|does|not|then) )*"
    r"(?:means?|impl(?:y|ies)|indicates?|signals?|signif\w+|tells?|corresponds?|happens?|occurs?|holds|iff?|when"
    r"|whenever|only|exactly|precisely|for|after|bedeutet|heißt|steht|impliziert|gilt|bei|für"
    r"|impliqu\w+|veut dire|correspond\w*|pour|implica\w*|quiere decir|indica\w*|vuol dire|para|per|por"
    r"|означа\w+|значит|говорит|соответству\w+|для|при|có nghĩa|nghĩa là|thì|cho|demek\w*|anlam\w+)(?!\w)"
    r"|表示|意味|说明|說明|代表|则|則|就|是指|は|を意味|は?を?示|를|은 |는 |이란)",
    re.IGNORECASE,
)
_WITH = regex(
    rf"(?<!\w)(?:with|for|where|whose|which|such that|having|have|has|require[sd]?|means?|says?|without|mit|für|bei|"
    rf"avec|pour|à|con|para|por|per|com|при|с|для|где|với|khi|có){_MARKUP}\Z|(?:有|使得?|满足|滿足|让|讓|要求|対して){_MARKUP}\Z",
    re.IGNORECASE,
)
_PROPERTY = regex(
    r"orthogonal|perpendicular|perpendicolar|senkrecht|ort[h]?ogona|ортогональн|перпендикуляр|直交|正交|垂直|직교|수직"
    r"|vuông góc|trực giao|(?<!\w)dik(?!\w)|(?<!\w)unit(?:[- ](?:vector|length|norm)|ary|ario|aria|aire)|normali[sz]"
    r"|einheits|normier|нормир|нормализ|единичн|单位|單位|归一|歸一|単位|正規化|단위|정규화|birim|đơn vị|chuẩn hóa"
    r"|singul[aä]r|invertib|inverti[bv]|вырожден|обратим|奇异|奇異|可逆|parallel|colinear|collinear|identical|opposite",
    re.IGNORECASE,
)
_CONSEQUENCE = regex(
    r"(?<!\w)(?:then|so|thus|hence|therefore|here|since|because|as|consequently|get|find|comput\w+|our"
    r"|check|verify|these|this|dann|also|daher|denn|weil|hier|ergibt|donc|alors|car|ici|parce|d['’]où"
    r"|así|entonces|luego|aquí|porque|assim|então|logo|aqui|pois|portanto|quindi|allora|qui|perché|dunque"
    r"|значит|тогда|поэтому|здесь|так как|vậy|do đó|nên|suy ra|o halde|burada|çünkü|yani)(?!\w)"
    r"|所以|因此|故|于是|從而|从而|这里|這裡|此处|此處|因为|因為|得|可见|よって|ゆえに|したがって|ここで|따라서|그러므로|여기서",
    re.IGNORECASE,
)
_ITEM = regex(r"(?:^|\n)[ \t>]*(?:[-*+•] |\d{1,2}[.)] |\|)[ \t$`*_(\\]*\Z")
_SAYS = regex(r"[ \t$`*_)\\]*(?:[:：→⇒|—–]|-+>|=>|\\(?:to|Right(?:arrow)?|rightarrow|implies)\b)[ \t$`*_]*[^\W\d]")
_SENTENCE = regex(r"(?<=[.!?;])(?=\s)|(?<=[。！？；])|\n\s*\n|\n(?=[ \t>]*[-*+•|] )")
_NEAR, _FAR, _MOST = 40, 160, 1_000  # characters


def is_supposed(before: str, after: str) -> bool:
    """Whether the words right before or behind an equation make a condition of it.

    >>> is_supposed("They are orthogonal if $", "$."), is_supposed("If q is short, $", "$."), is_supposed("", " のとき")
    (True, False, True)
    """
    if _UNDER_CONDITION.match(after) or _FOR.search(before[-_NEAR:]):
        return True
    found = _SUPPOSED.search(before[-_FAR:])
    if found is None:
        return False
    between = next(part for part in (*found.groups(), "") if part is not None)
    return _ENDED.search(between) is None


def is_general(before: str, after: str) -> bool:
    """Whether an equation with 0, 1 or −1 says what is true of all vectors or matrices of a kind.

    >>> is_general("Unit vectors have ", "."), is_general("They are orthogonal, so ", "."), is_general("- ", ": no")
    (True, False, True)
    """
    own = _SENTENCE.split(before[-_FAR:])[-1]
    if _ITEM.search(before[-_NEAR:]) and _SAYS.match(after):
        return True
    if _SPEAKS_OF_CASE.search(own):
        return True  # if they are orthogonal, then q · k = 0
    if is_consequence(before):
        return False
    following = _SENTENCE.split(after[:_FAR])[0]
    return bool(_SAID_OF.match(after) or _WITH.search(own) or _PROPERTY.search(own) or _PROPERTY.search(following))


def is_consequence(before: str) -> bool:
    """Whether the words before an equation in its sentence say that it follows, or is about what was given."""
    return _CONSEQUENCE.search(_SENTENCE.split(before[-_FAR:])[-1][-_NEAR:]) is not None


def is_of_another(before: str) -> bool:
    """Whether the words before an equation in its sentence speak of another case than the one before.

    >>> is_of_another("d · h = 8. The large model has "), is_of_another("In the large model d = 4. We see ")
    (True, False)
    """
    return _ANOTHER.search(_SENTENCE.split(before[-_FAR:])[-1]) is not None


def is_one_of_cases(formula: str, above: str, after: str) -> bool:
    """Whether the same is said to be greater or less than a number beside: of 0 the third case.

    >>> is_one_of_cases("a · b", "- a · b > 0: alike\\n- ", ": neither")
    True
    """
    compared = rf"{re.escape(formula.strip())}{_CLOSED}\s*(?:[<>≠≤≥]|\\(?:[gl]eq?|[gl]t|neq?)\b|&[lg]t;)\s*[-−]?\d"
    return re.search(compared, above[-_MOST:]) is not None or re.search(compared, after[:_FAR]) is not None
