"""How dates are written where Django's own ways of a language are not a European room's."""
